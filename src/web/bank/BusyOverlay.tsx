/** 'Please wait' over the whole screen: only while the app is loading or must not be used. */
import * as appMessages from '#contract/messages/app.ts';
import { Logo } from './Logo.tsx';
import './BusyOverlay.css';

export function BusyOverlay() {
  return (
    <div className="BusyOverlay" role="status" aria-live="polite">
      <Logo form="mark" label="" className="BusyOverlay-mark" />
      <p>{appMessages.pleaseWait}</p>
    </div>
  );
}
