/** What an application path shows until its screen has been fetched. Without JavaScript it is hidden. */
import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';

export function ShellScreen() {
  return (
    <div className="needs-script">
      <BusyOverlay />
    </div>
  );
}
