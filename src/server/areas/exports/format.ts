/** What an export format is, and the values that several formats write. */
import type { ExportLine } from '../../ledger/exportLines.ts';

/** The account and the days of an export. `from` and `to` are days like `2026-11-22`, both inclusive. */
export type ExportHead = {
  accountNumber: string;
  holder: string;
  from: string;
  to: string;
  until: Date;
  openingCents: bigint;
  closingCents: bigint;
  /** Type, status or search leave movements out, so that they don't add up to the balances. */
  isPartial: boolean;
};

/** Writes an export piece by piece, so that no export is ever in memory as a whole. */
export type ExportFormat = {
  contentType: string;
  extension: string;
  begin: (head: ExportHead) => string;
  line: (line: ExportLine) => string;
  end: (head: ExportHead) => string;
};

/** `-1234.50`, without a currency or grouping. */
export function centsToText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** XML text: escaped, and without the characters that XML 1.0 cannot hold. */
export function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** The first `most` UTF-16 code units, without half of a character at the end. */
export const shorten = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
