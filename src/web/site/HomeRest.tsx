/** The lower half of the home page: events, the map, the articles, the letter. */
import { useEffect, useRef } from 'react';
import { useHydrated } from '#web/base/useHydrated.ts';
import { EventsSection } from './EventsSection.tsx';
import { ReachSection } from './ReachSection.tsx';
import { ResourcesSection } from './ResourcesSection.tsx';
import { WriteSection } from './WriteSection.tsx';

export function HomeRest() {
  // A prerendered page was already scrolled by the browser; on the way from another page the anchor is only there now.
  const cameLater = useRef(useHydrated());
  useEffect(() => {
    if (cameLater.current && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <>
      <EventsSection />
      <ReachSection />
      <ResourcesSection />
      <WriteSection />
    </>
  );
}
