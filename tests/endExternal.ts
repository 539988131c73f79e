/** Ends a pending external transfer in a transaction of its own, as a rail file from the other bank would. */
import type { Ledger } from '#server/ledger/ledger.ts';
import type { Parts } from '#server/parts.ts';

export function endExternal(
  { database, ledger }: Pick<Parts, 'database' | 'ledger'>,
  id: string,
  end: Parameters<Ledger['endExternal']>[2],
): Promise<boolean> {
  return database.inTransaction(tx => ledger.endExternal(tx, id, end));
}
