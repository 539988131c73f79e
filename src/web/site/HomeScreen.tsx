/**
 * The home page: hero, four figures and reasons. The build prerenders all of it. The script of the lower half (events, map,
 * articles, contact form) is loaded when the reader scrolls near it, clicks or presses a key.
 */
import { lazy, Suspense } from 'react';
import { HomeHero } from './HomeHero.tsx';
import { WhySection } from './WhySection.tsx';
import { whenNearViewport, whenWorthRetry } from './whenNearViewport.ts';
import './HomeScreen.css';
import './site.css';

const HomeRest = lazy(async () => {
  await whenNearViewport('home-rest');
  for (;;) {
    try {
      return { default: (await import('./HomeRest.tsx')).HomeRest };
    } catch (error) {
      // Prerendered HTML can be read without its script, so it stays. If there is none, the crash screen is shown.
      if (document.querySelector('.HomeScreen-wait')) throw error;
      await whenWorthRetry();
    }
  }
});

export function HomeScreen() {
  return (
    <div className="Site">
      <HomeHero />
      <WhySection />
      {/* The build inserts style links here. React keeps them, because it compares only the empty text. */}
      <div data-later-styles>{''}</div>
      <div id="home-rest">
        <Suspense fallback={<div className="HomeScreen-wait" />}>
          <HomeRest />
        </Suspense>
      </div>
    </div>
  );
}
