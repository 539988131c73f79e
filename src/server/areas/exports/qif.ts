/** Transactions as QIF (Quicken Interchange Format, the 1990s text format that most bookkeeping programs still read). */
import { calendarDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { centsToText } from '../../base/fileText.ts';
import { nameOfParty, noteOf } from '../../ledger/exportLines.ts';
import type { ExportFormat } from './format.ts';

/** `11/22/2026`. */
function qifDay(at: Date): string {
  const [year, month, day] = calendarDay(at).split('-');
  return `${month}/${day}/${year}`;
}

/** A field is one line: a letter, then the text. */
const field = (letter: string, text: string) =>
  text === '' ? '' : `${letter}${text.replace(/\s+/g, ' ')}\n`;

export const qif: ExportFormat = {
  contentType: 'application/qif; charset=utf-8',
  extension: 'qif',
  begin: ({ accountNumber }) => `!Account\nN${bank.name} ${accountNumber}\nTBank\n^\n!Type:Bank\n`,
  line: line =>
    [
      field('D', qifDay(line.at)),
      field('T', centsToText(line.cents)),
      // Pending payments are not cleared yet.
      line.transaction.status === 'pending' ? '' : field('C', '*'),
      field('N', line.transaction.reference),
      field('P', nameOfParty(line)),
      field('M', noteOf(line)),
      '^\n',
    ].join(''),
  end: () => '',
};
