/** The lower half of the home page: events, map, articles and contact form. */
import { useEffect, useRef } from 'react';
import { useHydrated } from '#web/base/useHydrated.ts';
import { EventsSection } from './EventsSection.tsx';
import { ReachSection } from './ReachSection.tsx';
import { ResourcesSection } from './ResourcesSection.tsx';
import { WriteSection } from './WriteSection.tsx';

export function HomeRest() {
  // On a prerendered page the browser has already scrolled to the anchor. After a client-side navigation, the anchor exists
  // only now. A visitor who has scrolled since stays where they are.
  const cameLater = useRef(useHydrated());
  useEffect(() => {
    if (cameLater.current && location.hash && scrollY === 0)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
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
