/** The type of an export format, and what each file needs to know about its account. */
import type { ExportLine } from '../../ledger/exportLines.ts';

/**
 * The account and the days of an export. `from` and `to` are days like `2026-11-22`, both inclusive. `until`: when the export
 * was made.
 */
export type ExportHead = {
  accountNumber: string;
  /** The bank's routing number. */
  routingNumber: string;
  holder: string;
  from: string;
  to: string;
  until: Date;
  openingCents: bigint;
  closingCents: bigint;
  /** Whether a filter by type, status or search leaves movements out, so that they don't add up to the balances. */
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
