/** The formats of the rail's files: which one writes a line, and which one reads a file. */
import type { RailFormat } from '#contract/rail.ts';
import { looksLikeIban } from '#contract/transfer.ts';
import {
  endToEndId,
  readIso,
  writePayments as writeIsoPayments,
  writeReturns as writeIsoReturns,
} from './iso20022.ts';
import {
  nachaLimits,
  readNacha,
  writePayments as writeNachaPayments,
  writeReturns as writeNachaReturns,
} from './nacha.ts';
import {
  type IncomingFile,
  type IncomingLine,
  type Payment,
  RailFileError,
  type SettledLine,
} from './rail.ts';

/** Larger files are refused unread. */
export const maxFileBytes = 10 * 1024 * 1024;

/** The functions that write the files of a format. */
export const writers = {
  iso20022: { writePayments: writeIsoPayments, writeReturns: writeIsoReturns },
  nacha: { writePayments: writeNachaPayments, writeReturns: writeNachaReturns },
} as const satisfies Record<RailFormat, unknown>;

/** The id by which an answer names the payment: the end-to-end id, or the trace number. */
export const keyOf = (format: RailFormat, { id, trace }: { id: string; trace: string }): string =>
  format === 'nacha' ? trace : endToEndId(id);

/** How a notice names a payment that was received in a file of this format. */
export const settledLine = (
  format: IncomingFile['format'],
  { amountCents, original }: Pick<IncomingLine, 'amountCents' | 'original'>,
): SettledLine => {
  const { id = '', trace = '', endToEndId: end = '', transactionId = '' } = original;
  return format === 'nacha'
    ? { amountCents, transactionId: id, trace }
    : { amountCents, transactionId, endToEndId: end };
};

/** Nacha has no place for an IBAN, a long account number or a large amount: such a payment leaves as ISO 20022. */
export function formatOf(
  wanted: RailFormat,
  { accountNumber, amountCents }: Pick<Payment, 'accountNumber' | 'amountCents'>,
): RailFormat {
  const { accountNumber: longest, entryCents } = nachaLimits;
  const fits = accountNumber.length <= longest && !looksLikeIban(accountNumber) && amountCents <= entryCents;
  return wanted === 'nacha' && fits ? 'nacha' : 'iso20022';
}

/**
 * Reads a file of any format that is addressed to the routing number `own`. Throws `RailFileError` if it is refused.
 * `isStrict`: refuses one that this bank does not write.
 */
export async function readRailFile(bytes: Buffer, own: string, isStrict?: boolean): Promise<IncomingFile> {
  if (bytes.length > maxFileBytes) throw new RailFileError('The file is larger than 10 MB.');
  if (bytes.length === 0) throw new RailFileError('The file is empty.');
  // In an ACH file, every byte is a column, so it is read as Latin-1.
  if (bytes.subarray(0, 3).equals(Buffer.from('101')))
    return readNacha(bytes.toString('latin1'), own, isStrict);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new RailFileError('The file is not UTF-8.');
  }
  if (text.trimStart().startsWith('<')) return await readIso(text, own, isStrict);
  throw new RailFileError('The file is neither XML nor an ACH file.');
}
