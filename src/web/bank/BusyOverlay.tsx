/** The full screen's 'Please wait': only while the app itself is not there yet or must not be touched. */
import * as appMessages from '#contract/messages/app.ts';
import { Logo } from './Logo.tsx';
import './BusyOverlay.css';

export function BusyOverlay({ text = appMessages.pleaseWait }: { text?: string | undefined }) {
  return (
    <div className="BusyOverlay" role="status" aria-live="polite">
      <Logo form="mark" label="" className="BusyOverlay-mark" />
      <p>{text}</p>
    </div>
  );
}
