/** Stands in a list's place when it could not be fetched: what happened, and the button that asks again. */
import { messages } from '#contract/messages.ts';
import { errorMessage } from '#web/base/callError.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

export type LoadFailedProps = { error: unknown; onRetry: () => unknown };

export function LoadFailed({ error, onRetry }: LoadFailedProps) {
  return (
    <Banner
      kind="error"
      title={words.loadFailed}
      action={
        <Button kind="quiet" size="s" icon="refresh" onClick={() => void onRetry()}>
          {messages.app.tryAgain}
        </Button>
      }
    >
      {errorMessage(error, messages.errors.fault)}
    </Banner>
  );
}
