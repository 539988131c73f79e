/**
 * Approves the selected applications one after the other, each with a call of its own, and lists the bank's answer to each.
 * Only applications that this administrator has viewed can be selected.
 */
import { useEffect, useRef, useState } from 'react';
import type { WaitingCustomer } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useApproveMutation } from '../adminCalls.ts';
import { applicationRefusalText, isGone, isUnknown } from '../panel/actRefusalText.ts';
import { DecidedCustomer } from '../panel/DecidedCustomer.tsx';
import { isFocusFree } from '../panel/focusDialog.ts';
import { bulkWords as words } from './bulkWords.ts';
import './BulkApproval.css';

export type BulkApprovalProps = {
  /** The applications on this page that can be selected. */
  selectable: readonly WaitingCustomer[];
  /** How many applications on this page were viewed but cannot be selected. */
  apart: number;
  selected: readonly WaitingCustomer[];
  /** All waiting applications; undefined if the list shows only some of them or is being read. */
  waiting: readonly WaitingCustomer[] | undefined;
  /** When `waiting` was read. */
  readAt: number | undefined;
  /** Whether the page has any applications. */
  hasRows: boolean;
  onSelect: (ids: readonly string[]) => void;
};

type Result = {
  id: string;
  name: string;
  text: string;
  isGone: boolean;
  /** `before`: someone had approved the application already. */
  state: 'approved' | 'before' | 'refused' | 'unknown';
  /** When the answer came, or was given up. */
  at: number;
};

function stateOf({
  data,
  error,
}: {
  data?: { message: string } | undefined;
  error?: unknown;
}): Result['state'] {
  if (data) return data.message === adminMessages.approvedBefore ? 'before' : 'approved';
  return isUnknown(error) ? 'unknown' : 'refused';
}

export function BulkApproval(props: BulkApprovalProps) {
  const { selectable, apart, selected, waiting, readAt = 0, hasRows, onSelect } = props;
  const [approve] = useApproveMutation();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const [results, setResults] = useState<Result[]>([]);
  const list = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button is disabled or gone, so move the focus to the results.
    if (results.length > 0 && isFocusFree(bar.current)) list.current?.focus();
  }, [results]);
  const run = async () => {
    const chosen = [...selected];
    const made: Result[] = [];
    for (const customer of chosen) {
      setProgress({ done: made.length + 1, total: chosen.length });
      const { _id: id } = customer;
      const name = nameOf(customer) ?? '';
      const body = { isIdRequested: false, isProvenByReset: false };
      const answer = await approve({ params: { id }, body });
      const state = stateOf(answer);
      const text =
        state === 'unknown' ? words.unknown : (answer.data?.message ?? applicationRefusalText(answer.error));
      made.push({ id, name, text, isGone: isGone(answer.error), state, at: Date.now() });
    }
    setProgress(undefined);
    setResults(made);
    // What was not done stays selected for the next press.
    onSelect(made.filter(({ state }) => state === 'refused' || state === 'unknown').map(({ id }) => id));
  };
  // A lost answer may have approved the application, which then leaves the queue.
  const textOf = ({ id, state, text, at }: Result) => {
    if (state !== 'unknown' || waiting === undefined || readAt < at) return text;
    return waiting.some(({ _id }) => _id === id) ? words.stillWaiting : words.leftQueue;
  };
  const count = (of: Result['state']) => results.filter(({ state }) => state === of).length;
  const isDone = results.length === count('approved') + count('before');
  return (
    <>
      {results.length > 0 && (
        <div ref={list} tabIndex={-1} className="BulkApproval-results">
          <Banner
            kind={isDone ? 'success' : 'warning'}
            title={words.bulkDone(count('approved'), count('before'), count('refused'), count('unknown'))}
            dismiss={{ label: appMessages.dismiss, onPress: () => setResults([]) }}
          >
            <ul>
              {results.map(result => (
                <li key={result.id}>
                  <DecidedCustomer id={result.isGone ? undefined : result.id} name={result.name}>
                    {textOf(result)}
                  </DecidedCustomer>
                </li>
              ))}
            </ul>
          </Banner>
        </div>
      )}
      {/* Also shown before anything was viewed: if it appeared later, the rows would move under the pointer. */}
      {(hasRows || progress) && (
        <div ref={bar} className="BulkApproval screen-only">
          {selectable.length === 0 && !progress ? (
            <p className="BulkApproval-all">{words.viewToSelect}</p>
          ) : (
            <label className="BulkApproval-all">
              <input
                type="checkbox"
                checked={selectable.length > 0 && selected.length === selectable.length}
                onChange={event => onSelect(event.target.checked ? selectable.map(({ _id }) => _id) : [])}
              />
              {words.selectViewed(selectable.length)}
            </label>
          )}
          <Button
            size="s"
            disabled={selected.length === 0 && !progress}
            busy={progress !== undefined}
            busyLabel={progress && words.approvingOf(progress.done, progress.total)}
            onClick={() => void run()}
          >
            {words.approveSelected(selected.length)}
          </Button>
          {apart > 0 && <p className="BulkApproval-apart type-small">{words.viewedApart(apart)}</p>}
        </div>
      )}
    </>
  );
}
