/** 'Please wait' over the whole page while the next screen is on its way; shorter waits never show it. */
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
