/** Transactions as CSV (RFC 4180), for spreadsheets. */
import { calendarDay, clockTime } from '#contract/bankTime.ts';
import { centsToText } from '../../base/fileText.ts';
import { isCanceled, nameOfParty, noteOf } from '../../ledger/exportLines.ts';
import type { ExportFormat } from './format.ts';

const columns =
  'Date,Time,Type,Status,Name,Bank,Account number,Description,Amount,Balance,Reference,Transaction ID';

/**
 * A cell. An apostrophe is put before each sign that could begin a formula (OWASP, "CSV Injection"). Such a sign is at the
 * start of the text, or after a character that some spreadsheets read as the end of a cell or line. Blanks and quotes may come
 * between: `;"=1` is a quoted cell for a spreadsheet that separates by semicolons. The sign may be full-width, because some
 * spreadsheets read full-width signs as ordinary ones.
 */
export function cell(text: string): string {
  // Matches the sign before the lookbehind: a lookbehind at every character would take quadratic time in a run of blanks.
  const safe = text.replace(/(?=[=+\-@＝＋－＠])(?<=(?:^|[;,|\t\r\n])["\s]*)/g, "'");
  return safe !== text || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csv: ExportFormat = {
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  // Excel reads a file as UTF-8 only if it starts with a byte order mark.
  begin: () => `\uFEFF${columns}\r\n`,
  line(line) {
    const { type, status, externalBankDetails: bank, reference } = line.transaction;
    const cells = [
      calendarDay(line.at),
      clockTime(line.at),
      type,
      line.isReturn ? (isCanceled(line) ? 'canceled' : 'returned') : status,
      cell(nameOfParty(line)),
      cell(bank?.bankName ?? ''),
      cell(bank?.accountNumber ?? ''),
      cell(noteOf(line)),
      // Amounts stay numbers: a minus sign before digits is not a formula.
      centsToText(line.cents),
      centsToText(line.balanceAfter),
      reference,
      line.id,
    ];
    return `${cells.join(',')}\r\n`;
  },
  end: () => '',
};
