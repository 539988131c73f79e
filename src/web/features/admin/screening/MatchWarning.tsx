/** Warns staff, before money goes to a customer, of a confirmed or undecided match with the sanctions list. */
import { Banner } from '#web/ui/Banner.tsx';
import { screeningWords as words } from './screeningWords.ts';

/** `state`: as the call for the account's holder answers; without a match, nothing is shown. */
export type MatchWarningProps = { state: 'match' | 'open' | undefined };

export function MatchWarning({ state }: MatchWarningProps) {
  return (
    state && (
      <Banner
        kind={state === 'match' ? 'error' : 'warning'}
        icon="shield"
        title={state === 'match' ? words.confirmed : words.waiting}
      >
        {words.beforePayment[state]}
      </Banner>
    )
  );
}
