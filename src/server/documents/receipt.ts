/** The layout of a receipt: one transaction, for a person who was paid or who wants proof of the payment. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import { colors, isPrintable, openPaper, page, type TextStyle, toPrintable, wrap } from './paper.ts';

/** The texts of a receipt. A receipt has no balance, address or email of either party. */
export type Receipt = {
  /** When the receipt was made. It shows the transaction as of this time. */
  at: Date;
  reference: string;
  amount: string;
  facts: [label: string, value: string][];
  note?: string;
};

const label: TextStyle = { size: 9, color: colors.quiet };
const value: TextStyle = { size: 11 };
const [left, valueLeft] = [page.left, 190];

export function openReceipt(receipt: Receipt, onBytes: (bytes: Uint8Array) => void) {
  const paper = openPaper(
    {
      title: `${bank.name}, ${recordsMessages.receipt}, ${receipt.reference}`,
      created: receipt.at,
    },
    onBytes,
  );
  paper.addPage();
  paper.letterhead();
  paper.tag('H1', () => paper.place(recordsMessages.receipt, left, 122, { size: 24, weight: 'bold' }));
  const big: TextStyle = { size: 30, weight: 'bold' };
  paper.tag('P', () => paper.place(receipt.amount, left, 176, big));
  paper.doubleRule(188, left, left + paper.measure(receipt.amount, big));
  const table = paper.tag('Table', undefined, { title: recordsMessages.receipt });
  let y = 226;
  let hasMissing = false;
  for (const [name, text] of receipt.facts) {
    const printable = toPrintable(text);
    const isWhole = isPrintable(text);
    hasMissing ||= !isWhole;
    const lines = wrap(paper, printable, page.right - valueLeft, value);
    const row = paper.tag('TR', undefined, {}, table);
    paper.tag('TH', () => paper.place(name, left, y, label), { scope: 'Row' }, row);
    const draw = () => {
      for (const [at, line] of lines.entries()) paper.place(line, valueLeft, y + at * 15, value);
    };
    paper.tag('TD', draw, isWhole ? {} : { actual: text }, row);
    row.end();
    y += (lines.length - 1) * 15 + 12;
    paper.rule(y);
    y += 20;
  }
  table.end();
  const notes = [
    ...(receipt.note === undefined ? [] : [receipt.note]),
    fill(recordsMessages.madeAt, { time: dayAndTime(receipt.at) }),
    ...(hasMissing ? [recordsMessages.missing] : []),
  ];
  y += 8;
  for (const text of notes.flatMap(note => wrap(paper, note, page.right - left, label))) {
    paper.tag('P', () => paper.place(text, left, y, label));
    y += 14;
  }
  return { end: () => paper.end() };
}
