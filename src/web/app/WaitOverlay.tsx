/** 'Please wait' over the whole page while the next screen loads; not shown for short waits. */

import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';
import { useIsNavigating } from '#web/router/hooks.ts';
import './WaitOverlay.css';

export function WaitOverlay() {
  if (!useIsNavigating()) return null;
  return (
    <div className="WaitOverlay">
      <BusyOverlay />
    </div>
  );
}
