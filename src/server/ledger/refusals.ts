/** What the books answer by number, as a refusal. A number nobody knows is a fault: it never counts as done. */
import { Refusal, type RefusalCode } from '#contract/errors.ts';

/** By outcome code; the numbers are listed in `db/migrations/0005_posting.sql`. */
export type Refusals = Readonly<Record<number, { code: RefusalCode; message?: string }>>;

/** The refusal an outcome other than success stands for. Throws where there is none. */
export function toRefusal(refusals: Refusals, outcome: number): Refusal {
  const refused = refusals[outcome];
  if (!refused) throw new Error(`The books answered ${outcome}, which nobody knows.`);
  return new Refusal(refused.code, refused.message === undefined ? {} : { message: refused.message });
}
