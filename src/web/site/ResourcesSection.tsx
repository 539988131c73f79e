/**
 * The resources section: three paragraphs, a category filter and the article carousel. Its anchor is 'services'. Back from an
 * article returns to the chosen category and card.
 */
import { useEffect, useRef, useState } from 'react';
import * as homeMessages from '#contract/messages/home.ts';
import { useLocation } from '#web/router/hooks.ts';
import { ArticleCarousel } from './ArticleCarousel.tsx';
import { articleList } from './content/articleList.ts';
import { homeRestText } from './content/homeRest.ts';
import './ResourcesSection.css';

const text = homeRestText.resources;
const all = homeMessages.filters[0];

/** What the reader saw last, by the key of the history entry. Only in memory: a prerendered page shows all articles first. */
const lastSeen = new Map<string, { filter: string; card: number }>();

export function ResourcesSection() {
  const { key } = useLocation();
  const [filter, setFilter] = useState<string>(() => lastSeen.get(key)?.filter ?? all);
  const card = useRef(lastSeen.get(key)?.card ?? 0);
  useEffect(() => () => void lastSeen.set(key, { filter, card: card.current }), [key, filter]);
  const choose = (name: string) => {
    card.current = 0;
    setFilter(name);
  };
  const shown = articleList.filter(article => filter === all || article.category === filter);
  return (
    <section className="Site-band ResourcesSection" id="services">
      <div className="Site-wrap">
        <h2>{text.title}</h2>
        <div className="ResourcesSection-intro">
          {text.intro.map(paragraph => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: these buttons filter a list; they are not a form */}
        <div className="ResourcesSection-filters needs-script" role="group" aria-label={text.filterLabel}>
          {homeMessages.filters.map(name => (
            <button key={name} type="button" aria-pressed={name === filter} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </div>
        <ArticleCarousel key={filter} articles={shown} card={card} />
      </div>
    </section>
  );
}
