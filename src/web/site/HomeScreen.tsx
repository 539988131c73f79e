/**
 * The home page: hero, four figures and reasons. The lower half (events, map, articles, contact form) is loaded when the reader
 * scrolls near it.
 */
import { lazy, Suspense } from 'react';
import { HomeHero } from './HomeHero.tsx';
import { WhySection } from './WhySection.tsx';
import { whenNearViewport } from './whenNearViewport.ts';
import './HomeScreen.css';
import './site.css';

const HomeRest = lazy(async () => {
  await whenNearViewport('home-rest');
  return { default: (await import('./HomeRest.tsx')).HomeRest };
});

export function HomeScreen() {
  return (
    <div className="Site">
      <HomeHero />
      <WhySection />
      {/* The empty text makes React keep the HTML that the build has inserted. */}
      <div data-later-styles>{''}</div>
      <div id="home-rest">
        <Suspense fallback={<div className="HomeScreen-wait" />}>
          <HomeRest />
        </Suspense>
      </div>
    </div>
  );
}
