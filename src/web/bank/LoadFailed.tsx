/** Shown instead of data that could not be loaded: what happened, and a retry button. */
import * as appMessages from '#contract/messages/app.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';

export type LoadFailedProps = {
  title: string;
  /** The bank's message. */
  text?: string | undefined;
  onRetry: () => unknown;
  className?: string | undefined;
};

export function LoadFailed({ title, text, onRetry, className }: LoadFailedProps) {
  return (
    <Banner
      className={className}
      kind="error"
      title={title}
      action={
        <Button kind="quiet" size="s" icon="refresh" onClick={() => void onRetry()}>
          {appMessages.tryAgain}
        </Button>
      }
    >
      {text}
    </Banner>
  );
}
