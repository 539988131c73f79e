/** What stands in an application path's place until its screen has been fetched. */
import { messages } from '#contract/messages.ts';
import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';

export function ShellScreen() {
  return <BusyOverlay text={messages.app.pleaseWait} />;
}
