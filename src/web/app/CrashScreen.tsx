/** What a person sees when a screen cannot be loaded or breaks: what happened, that nothing was sent, what to do. */
import * as appMessages from '#contract/messages/app.ts';
import { frameText } from '#web/site/content/frame.ts';
import { Button } from '#web/ui/Button.tsx';

export function CrashScreen() {
  return (
    <section className="wrap grid justify-items-start gap-5 py-24">
      <h1 className="type-title">{frameText.crashTitle}</h1>
      <p className="max-w-[36rem] text-ink-2">{frameText.crashText}</p>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => location.reload()}>{appMessages.tryAgain}</Button>
        <Button kind="quiet" href="/">
          {appMessages.backToHome}
        </Button>
      </div>
    </section>
  );
}
