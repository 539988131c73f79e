/** 'Please wait' over the whole page while the next screen loads; not shown for short waits. */
import { useNavigation } from 'react-router';
import * as appMessages from '#contract/messages/app.ts';
import { BusyOverlay } from '#web/bank/BusyOverlay.tsx';
import './WaitOverlay.css';

export function WaitOverlay() {
  if (useNavigation().state === 'idle') return null;
  return (
    <div className="WaitOverlay">
      <BusyOverlay text={appMessages.pleaseWait} />
    </div>
  );
}
