/** The dialog over a list for the row that the URL names, and what it shows if there is no such row. */
import type { ComponentType } from 'react';
import * as z from 'zod/mini';
import { id as rowId } from '#contract/fields.ts';
import { useClose } from '#web/bank/openedRow.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { isGone } from './actRefusalText.ts';
import { ListFailed } from './ListFailed.tsx';

export type RowSheetProps = {
  /** The row's id; the dialog is open while it is set. */
  id: string | undefined;
  /** The URL of the list without the dialog. */
  listAddress: { search: string };
};

export type OpenedRowProps = {
  id: string;
  /** Whether `id` can be the id of a row. If not, the row is missing, and the bank is not asked. */
  isId: boolean;
  isOpen: boolean;
  onClose: () => void;
};

/** Renders the dialog `of`. It keeps its row while it closes, and is remounted for another row. */
export function RowSheet({
  id,
  listAddress,
  of: Opened,
}: RowSheetProps & { of: ComponentType<OpenedRowProps> }) {
  const shown = useLastKnown(id);
  const close = useClose(listAddress);
  return shown === undefined ? null : (
    <Opened
      key={shown}
      id={shown}
      isId={z.safeParse(rowId, shown).success}
      isOpen={id !== undefined}
      onClose={close}
    />
  );
}

export type MissingRowProps = {
  isId: boolean;
  error: unknown;
  onRetry: () => unknown;
  words: { gone: string; goneText: string; loading: string };
};

export function MissingRow({ isId, error, onRetry, words }: MissingRowProps) {
  if (!isId || isGone(error)) return <EmptyState title={words.gone}>{words.goneText}</EmptyState>;
  if (error) return <ListFailed error={error} onRetry={onRetry} />;
  return <Skeleton kind="text" count={9} label={words.loading} />;
}
