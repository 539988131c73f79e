/** The customer's payees at the side of the form, the last paid first: pick one, give it a nickname, or remove it. */
import { type RefObject, useRef, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import type { Payee } from '#contract/payees.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { PayeeRow } from './PayeeRow.tsx';
import { findPayees } from './payees.ts';
import { useListPayeesQuery } from './payeesCalls.ts';
import { payeeWords as words } from './words.ts';
import './PayeeSheet.css';

export type PayeeSheetProps = {
  open: boolean;
  onClose: () => void;
  onPick: (payee: Payee) => void;
  /** Gets the focus after a payee is picked. */
  next: RefObject<HTMLElement | null>;
};

export function PayeeSheet({ open, onClose, onPick, next }: PayeeSheetProps) {
  const query = useListPayeesQuery();
  const { data: payees, isError, refetch } = query;
  const [text, setText] = useState('');
  const [isPicked, setIsPicked] = useState(false);
  const [edited, setEdited] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const found = findPayees(payees ?? [], text);
  const close = (picks: boolean) => {
    setIsPicked(picks);
    setText('');
    setEdited('');
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={() => close(false)}
      finalFocus={isPicked ? next : undefined}
      size="side"
      closeLabel={appMessages.close}
      title={words.title}
      description={payees?.length === 0 ? undefined : words.howTo}
    >
      {payees && payees.length > 0 && (
        <TextField
          className="PayeeSheet-search"
          icon="search"
          label={words.search}
          hideLabel
          placeholder={words.searchHint}
          autoComplete="off"
          value={text}
          onChange={setText}
        />
      )}
      {!payees && isError && <LoadFailed title={words.failed} onRetry={refetch} />}
      {!payees && !isError && <Skeleton kind="rows" count={4} label={words.loading} />}
      {payees?.length === 0 && <EmptyState title={words.none}>{words.noneText}</EmptyState>}
      {payees && payees.length > 0 && found.length === 0 && <p role="status">{words.noMatch}</p>}
      <ul ref={list} tabIndex={-1} aria-label={words.title}>
        {found.map(payee => (
          <PayeeRow
            key={payee._id}
            payee={payee}
            payees={query}
            isEdited={edited === payee._id}
            onEdit={isEdited => setEdited(isEdited ? payee._id : '')}
            onPick={() => {
              close(true);
              onPick(payee);
            }}
            list={list}
          />
        ))}
      </ul>
    </Dialog>
  );
}
