/**
 * Replaces a screen that crashes or cannot be loaded. Says what happened and what to do. It does not say that no money was
 * moved: a transfer may have been sent just before.
 */
import * as appMessages from '#contract/messages/app.ts';
import { frameText } from '#web/site/content/frame.ts';
import { Button } from '#web/ui/Button.tsx';
import './CrashScreen.css';

export function CrashScreen() {
  return (
    <section className="wrap CrashScreen">
      <h1 className="type-title">{frameText.crashTitle}</h1>
      <p>{frameText.crashText}</p>
      <div>
        <Button onClick={() => location.reload()}>{appMessages.tryAgain}</Button>
        <Button kind="quiet" href="/">
          {appMessages.backToHome}
        </Button>
      </div>
    </section>
  );
}
