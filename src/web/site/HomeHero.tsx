/** The hero of the home page: headline, two buttons, the meadow, and a strip of four figures in the foreground. */
import * as homeMessages from '#contract/messages/home.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { Logo } from '#web/bank/Logo.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import day from './art/hero.svg';
import night from './art/hero-night.svg';
import { homeText } from './content/home.ts';
import './HomeHero.css';

export function HomeHero() {
  return (
    <>
      {/* CSS shows the picture, because it can choose by color scheme. `beforePaint.ts` enables the matching preload. */}
      <link rel="preload" href={day} as="image" data-scheme="light" media="not all" fetchPriority="high" />
      <link rel="preload" href={night} as="image" data-scheme="dark" media="not all" fetchPriority="high" />
      <section className="HomeHero">
        <div className="Site-wrap">
          <Logo form="mark" label="" className="HomeHero-mark" />
          <h1>{homeText.title}</h1>
          <p className="Site-lead">{homeText.lead}</p>
          <p className="HomeHero-ways">
            <Button className="only-visitor" to="/register">
              {homeMessages.heroApply}
            </Button>
            <Button className="only-customer" to="/dashboard">
              {navMessages.dashboard}
            </Button>
            <Button kind="quiet" href="#services">
              {homeMessages.heroCta}
            </Button>
          </p>
        </div>
      </section>
      <section className="HomeHero-figures" aria-label={homeText.figuresLabel}>
        <dl className="Site-wrap">
          {homeText.figures.map(figure => (
            <div key={figure.label}>
              <dt>{figure.label}</dt>
              <dd>
                <Ranges>{figure.value}</Ranges>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
