/** In the list's place when it could not be fetched. */
import { messages } from '#contract/messages.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

export type TransactionsFailedProps = { text: string; onRetry: () => unknown };

export function TransactionsFailed({ text, onRetry }: TransactionsFailedProps) {
  return (
    <Banner
      kind="error"
      title={words.failed}
      action={
        <Button kind="quiet" size="s" icon="refresh" onClick={() => void onRetry()}>
          {messages.app.tryAgain}
        </Button>
      }
    >
      {text}
    </Banner>
  );
}
