/** What a path of the app shows until the path's screen has been fetched. Without JavaScript, only the page's notice about it. */
import * as appMessages from '#contract/messages/app.ts';
import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';

export function ShellScreen() {
  return (
    <div className="needs-script">
      <BusyOverlay text={appMessages.pleaseWait} />
    </div>
  );
}
