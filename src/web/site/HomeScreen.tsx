/**
 * The home page, from the meadow to the letter box: hero, four figures, why; and, fetched when a person comes near it, what
 * is on, where money can go, what is worth knowing, how to write.
 */
import { lazy, Suspense } from 'react';
import { HomeHero } from './HomeHero.tsx';
import { WhySection } from './WhySection.tsx';
import { whenNear } from './whenNear.ts';
import './HomeScreen.css';
import './site.css';

const HomeRest = lazy(async () => {
  await whenNear('home-rest');
  return { default: (await import('./HomeRest.tsx')).HomeRest };
});

export function HomeScreen() {
  return (
    <div className="Site">
      <HomeHero />
      <WhySection />
      {/* The empty text makes React leave alone what the build has put in. */}
      <div data-later-styles>{''}</div>
      <div id="home-rest">
        <Suspense fallback={<div className="HomeScreen-wait" />}>
          <HomeRest />
        </Suspense>
      </div>
    </div>
  );
}
