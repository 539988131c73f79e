/**
 * The page that the service worker shows when a page cannot be loaded. It has no script; its link requests the same page again.
 */
import * as appMessages from '#contract/messages/app.ts';
import { frameText } from '#web/site/content/frame.ts';
import { Button } from '#web/ui/Button.tsx';
import './CrashScreen.css';

export function OfflineScreen() {
  return (
    <section className="wrap CrashScreen">
      <h1 className="type-title">{frameText.offlineTitle}</h1>
      <p>{frameText.offlineText}</p>
      <div>
        <Button href="">{appMessages.tryAgain}</Button>
      </div>
    </section>
  );
}
