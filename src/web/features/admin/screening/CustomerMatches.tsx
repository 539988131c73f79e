/** The matches of one customer with the sanctions list, each with a button to review it. Empty if there are none. */
import { useState } from 'react';
import * as screeningMessages from '#contract/messages/screening.ts';
import type { ScreeningHit } from '#contract/screening.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { type Freezes, isFrozenByStaff } from '../panel/freezes.ts';
import { HitDialog } from './HitDialog.tsx';
import { confirmedState } from './screeningCalls.ts';
import { listedName, screeningWords as words } from './screeningWords.ts';
import './CustomerMatches.css';

/** `hits`: see `useCustomerHits`. */
export type CustomerMatchesProps = {
  hits: readonly ScreeningHit[];
  isApproved: boolean;
  /** Whether the account is frozen, and by whom; absent if that is not known. */
  frozen?: Freezes | undefined;
  className?: string;
};

export function CustomerMatches({ hits, isApproved, frozen, className }: CustomerMatchesProps) {
  const [opened, setOpened] = useState<ScreeningHit>();
  if (hits.length === 0) return null;
  const open = hits.filter(({ state }) => state === 'open').length;
  const more = hits[0]?.customer.moreMatches;
  const isConfirmed = hits.some(({ state }) => state === 'match');
  return (
    <>
      <Banner
        kind={isConfirmed ? 'error' : open > 0 ? 'warning' : 'info'}
        icon="shield"
        className={className}
        title={isConfirmed ? words.confirmed : open > 0 ? words.waiting : words.cleared}
      >
        {confirmedState(hits) === 'open' && `${words.noLongerCounts} `}
        {isConfirmed
          ? isApproved
            ? freezeText(frozen)
            : words.confirmedPending
          : open > 0 && (isApproved ? words.waitingApproved(open) : words.waitingText(open))}
        <ul className="CustomerMatches-list">
          {hits.map(hit => (
            <li key={hit._id}>
              <span>
                {`${listedName(hit.listed)} (${hit.score}%): ${screeningMessages.states[hit.state]}`}
                {hit.earlier && `. ${words.earlier}: ${screeningMessages.states[hit.earlier.state]}`}
                {hit.confirmed &&
                  `. ${hit.earlier ? words.confirmedBefore : words.earlier}: ${screeningMessages.states.match}`}
              </span>
              <Button
                kind="quiet"
                size="s"
                aria-label={words.openOf(hit.listed.name)}
                onClick={() => setOpened(hit)}
              >
                {words.open}
              </Button>
            </li>
          ))}
        </ul>
        {/* After a confirmed match, no further ones are stored. */}
        {more !== undefined && !isConfirmed && <p className="CustomerMatches-more">{words.more(more)}</p>}
      </Banner>
      <HitDialog hit={opened} onDecided={() => setOpened(undefined)} onClose={() => setOpened(undefined)} />
    </>
  );
}

function freezeText(frozen: Freezes | undefined) {
  if (frozen && isFrozenByStaff(frozen)) return undefined;
  return frozen?.isFrozen ? words.confirmedOwnFreeze : words.confirmedApproved;
}
