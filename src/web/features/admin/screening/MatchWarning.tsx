/** Warns staff of a confirmed or undecided match before money goes to a customer, or before a customer is deleted. */
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { customerPageAddress } from '../panel/viewAddress.ts';
import { screeningWords as words } from './screeningWords.ts';

/** `state`: `match` for a confirmed match, `open` for an undecided one; undefined if there is none, and nothing is shown. */
export type MatchWarningProps = {
  state: 'match' | 'open' | undefined;
  /** Adds a link to the customer's page, which shows the match. */
  customerId?: string | undefined;
  /** What staff should do first. By default, before a payment. */
  text?: Record<'match' | 'open', string>;
};

export function MatchWarning({ state, customerId, text = words.beforePayment }: MatchWarningProps) {
  return (
    state && (
      <Banner
        kind={state === 'match' ? 'error' : 'warning'}
        icon="shield"
        title={state === 'match' ? words.confirmed : words.waiting}
        action={
          customerId && (
            <Button kind="quiet" size="s" to={`?${customerPageAddress(customerId).search}`}>
              {words.reviewMatch}
            </Button>
          )
        }
      >
        {text[state]}
      </Banner>
    )
  );
}
