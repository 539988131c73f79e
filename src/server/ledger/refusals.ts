/** Maps the ledger's outcome codes to refusals. An unknown code is a fault: it never counts as success. */
import { Refusal, type RefusalCode } from '#contract/errors.ts';

/** Refusals by outcome code. The migrations list the codes above the functions that return them, as in `0005_posting.sql`. */
export type Refusals = Readonly<Record<number, { code: RefusalCode; message?: string }>>;

/** The refusal for an outcome other than success. Throws if the code is unknown. */
export function toRefusal(refusals: Refusals, outcome: number): Refusal {
  const refused = refusals[outcome];
  if (!refused) throw new Error(`The books answered with the unknown outcome ${outcome}.`);
  return new Refusal(refused.code, refused.message === undefined ? {} : { message: refused.message });
}
