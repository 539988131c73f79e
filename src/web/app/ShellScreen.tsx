/** What a path of the app shows until the path's screen has been fetched. */
import * as appMessages from '#contract/messages/app.ts';
import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';

export function ShellScreen() {
  return <BusyOverlay text={appMessages.pleaseWait} />;
}
