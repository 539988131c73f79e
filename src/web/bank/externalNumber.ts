/** Checks and formats an account number at another bank. */
import * as z from 'zod/mini';
import { ExternalTransfer, formatExternalNumber, looksLikeIban } from '#contract/transfer.ts';
import { plainNumber } from '#contract/typedNumbers.ts';

/** Checks another bank's account number by the contract's rule. Returns the error, or the formatted number if it is valid. */
export function checkExternalNumber(text: string): { message?: string; isIban: boolean; shown: string } {
  const read = z.safeParse(ExternalTransfer.shape.accountNumber, plainNumber(text));
  if (!read.success) return { message: read.error.issues[0]!.message, isIban: false, shown: text };
  return { isIban: looksLikeIban(read.data), shown: formatExternalNumber(read.data) };
}
