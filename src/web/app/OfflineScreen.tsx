/**
 * The page that the service worker shows when a page cannot be loaded. It does not start the app. Its link requests the same
 * page again, and so does the page itself when the connection is back.
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
