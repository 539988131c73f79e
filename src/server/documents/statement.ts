/** The layout of a statement: the month's figures, every movement with the balance after it, and what is still pending. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import {
  calendarDay,
  dayAndTime,
  dayWithoutYear,
  nameOfDay,
  nameOfDays,
  nameOfMonth,
} from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import { formatCents } from '#contract/money.ts';
import type { Statement, StatementLine } from '../ledger/statements.ts';
import {
  colors,
  isPrintable,
  openPaper,
  page,
  type Tag,
  type TextStyle,
  toPrintable,
  wrap,
} from './paper.ts';

export type StatementHead = Omit<Statement, 'lines' | 'pending' | 'contentHash' | 'contentHashOf'> & {
  /** The bank's own routing number. */
  routingNumber: string;
};

/** The edges of the columns: left for texts, right for amounts. */
const column = { date: page.left, text: 96, reference: 322, amount: 478, balance: page.right } as const;
const textWidth = column.reference - column.text - 12;
const amountWidth = 78;

const small: TextStyle = { size: 7.5, color: colors.quiet };
const head: TextStyle = { size: 7.5, weight: 'bold', color: colors.quiet };
const lineHeight = 11;
const rowGap = 8;

export function openStatement(statement: StatementHead, onBytes: (bytes: Uint8Array) => void) {
  const month = nameOfMonth(statement.month, 'full');
  const paper = openPaper(
    {
      title: `${bank.name}, ${recordsMessages.accountStatement}, ${month}`,
      created: statement.at,
    },
    onBytes,
  );
  const holder = toPrintable(statement.holder);
  let y = 0;
  let hasMissing = !isPrintable(statement.holder);
  let balance = statement.openingCents;
  let count = 0;
  /** The sum of the pending payments; undefined while movements are being added. */
  let pendingCents: bigint | undefined;
  let table: Tag | undefined;
  /** The rows of the table on this page. Rows of earlier pages are written to the file and no longer in memory. */
  let body: Tag | undefined;

  firstPage();

  function firstPage(): void {
    paper.addPage();
    paper.letterhead();
    paper.tag('H1', () => {
      paper.place(month, page.left, 122, { size: 24, weight: 'bold' });
    });
    const days = nameOfDays(statement.from, statement.to);
    paper.tag('P', () => {
      const text = statement.isSoFar ? fill(recordsMessages.soFar, { days }) : days;
      paper.place(`${recordsMessages.accountStatement}  ·  ${text}`, page.left, 142, {
        size: 10,
        color: colors.quiet,
      });
    });
    if (statement.isSoFar) {
      const text = fill(recordsMessages.madeAt, { time: dayAndTime(statement.at) });
      paper.tag('P', () => paper.place(text, page.left, 157, small));
    }
    y = 190;
    facts();
    y = Math.max(y, 190);
    summary();
    y += 34;
    paper.tag('H2', () =>
      paper.place(recordsMessages.transactions, page.left, y, { size: 13, weight: 'bold' }),
    );
    y += 22;
  }

  /** Holder and account, beside the summary. */
  function facts(): void {
    let top = y;
    for (const [label, value] of [
      [recordsMessages.holder, statement.holder],
      [recordsMessages.account, formatAccountNumber(statement.accountNumber)],
      [recordsMessages.routing, statement.routingNumber],
    ] as const) {
      paper.tag('P', () => paper.place(label, page.left, top, small));
      for (const text of wrap(paper, toPrintable(value), 190, { size: 10 })) {
        top += 14;
        paper.tag(
          'P',
          () => paper.place(text, page.left, top, { size: 10 }),
          isPrintable(value) ? {} : { actual: value },
        );
      }
      top += 20;
    }
  }

  function summary(): void {
    const left = 270;
    const rows = [
      [
        fill(recordsMessages.openingOn, { day: nameOfDay(statement.from) }),
        formatCents(statement.openingCents),
      ],
      [recordsMessages.moneyIn, signed(statement.inCents)],
      [recordsMessages.moneyOut, signed(-statement.outCents)],
      [closingText(), formatCents(statement.closingCents)],
    ] as const;
    const element = paper.tag('Table', undefined, { title: recordsMessages.summary });
    for (const [at, [label, value]] of rows.entries()) {
      const style: TextStyle = { size: 10, weight: at === 3 ? 'bold' : 'regular' };
      if (at > 0) paper.rule(y - 13, { from: left });
      row(element, [
        { role: 'TH', scope: 'Row', text: label, x: left, style },
        { role: 'TD', text: value, x: page.right, style: { ...style, align: 'right' } },
      ]);
      y += 20;
    }
    element.end();
    paper.doubleRule(
      y - 13,
      page.right - paper.measure(formatCents(statement.closingCents), { size: 10, weight: 'bold' }),
    );
    y = Math.max(y, 290);
  }

  function closingText(): string {
    if (statement.isSoFar) return recordsMessages.balanceNow;
    return fill(recordsMessages.closingOn, { day: nameOfDay(statement.to) });
  }

  type Cell = {
    role: 'TH' | 'TD';
    scope?: 'Row' | 'Column';
    text: string;
    /** The lines below the first. */
    more?: { text: string; style: TextStyle }[];
    /** What a screen reader reads instead, if a character cannot be printed. */
    actual?: string | undefined;
    x: number;
    style?: TextStyle;
    from?: number;
  };

  /** One row of a table with its first baseline at `y`. */
  function row(parent: Tag, cells: Cell[]): void {
    const element = paper.tag('TR', undefined, {}, parent);
    for (const { role, scope, text, more = [], actual, x, style = {} } of cells) {
      const draw = () => {
        paper.place(text, x, y, style);
        for (const [at, line] of more.entries())
          paper.place(line.text, x, y + (at + 1) * lineHeight, line.style);
      };
      paper.tag(role, draw, { ...(scope && { scope }), ...(actual !== undefined && { actual }) }, element);
    }
    element.end();
  }

  /** The heads of a table's columns. Further pages show them again, but a screen reader reads them only once. */
  function heads(withBalance: boolean): void {
    const cells: Cell[] = [
      { role: 'TH', scope: 'Column', text: recordsMessages.date, x: column.date, style: head },
      { role: 'TH', scope: 'Column', text: recordsMessages.description, x: column.text, style: head },
      { role: 'TH', scope: 'Column', text: recordsMessages.reference, x: column.reference, style: head },
      {
        role: 'TH',
        scope: 'Column',
        text: recordsMessages.amount,
        x: withBalance ? column.amount : column.balance,
        style: { ...head, align: 'right' },
      },
    ];
    if (withBalance)
      cells.push({
        role: 'TH',
        scope: 'Column',
        text: recordsMessages.balance,
        x: column.balance,
        style: { ...head, align: 'right' },
      });
    if (table) {
      paper.decorate(() => {
        for (const { text, x, style = {} } of cells) paper.place(text, x, y, style);
      }, 'Pagination');
    } else {
      table = paper.tag('Table', undefined, {
        title: withBalance ? recordsMessages.transactions : recordsMessages.pending,
      });
      const thead = paper.tag('THead', undefined, {}, table);
      row(thead, cells);
      thead.end();
    }
    body = paper.tag('TBody', undefined, {}, table);
    paper.rule(y + 5, { color: colors.ink });
    y += 19;
  }

  /** Continues on a new page if `height` does not fit on this one. Returns whether it did. */
  function makeRoom(height: number): boolean {
    if (y + height <= page.bottom) return false;
    body?.end();
    paper.addPage();
    paper.decorate(() => {
      paper.place(holder, page.left, page.top, { size: 9, weight: 'bold' });
      const text = `${formatAccountNumber(statement.accountNumber)}  ·  ${fill(recordsMessages.continued, { month })}`;
      paper.place(text, page.right, page.top, { ...small, align: 'right' });
    }, 'Pagination');
    y = page.top + 28;
    return true;
  }

  /** The style of a right-aligned text that must fit into `width`: smaller if the text is too wide. */
  function fitted(text: string, width: number, style: TextStyle = {}): TextStyle {
    const wide = paper.measure(text, style);
    return { ...style, align: 'right', ...(wide > width && { size: ((style.size ?? 9) * width) / wide }) };
  }

  /** A row with a movement. `balanceAfter` is missing in the table of pending payments. */
  function movement({ at, cents, name, note, reference }: StatementLine, balanceAfter?: bigint): void {
    const [title, detail] = [toPrintable(name), toPrintable(note)];
    const [first = '', ...rest] = wrap(paper, title, textWidth, {});
    const more = [
      ...rest.map(text => ({ text, style: {} })),
      ...(detail === '' ? [] : wrap(paper, detail, textWidth, small).map(text => ({ text, style: small }))),
    ];
    const whole = isPrintable(name) && isPrintable(note);
    if (!whole) hasMissing = true;
    const height = more.length * lineHeight + lineHeight + rowGap;
    if (!table || makeRoom(height)) heads(balanceAfter !== undefined);
    const amount = signed(cents);
    const cells: Cell[] = [
      { role: 'TD', text: dayWithoutYear(calendarDay(at)), x: column.date },
      { role: 'TD', text: first, more, x: column.text, actual: whole ? undefined : `${name} ${note}`.trim() },
      { role: 'TD', text: reference, x: column.reference, style: { size: 8, color: colors.quiet } },
      {
        role: 'TD',
        text: amount,
        x: balanceAfter === undefined ? column.balance : column.amount,
        style: fitted(amount, amountWidth),
      },
    ];
    if (balanceAfter !== undefined) {
      const text = formatCents(balanceAfter);
      cells.push({ role: 'TD', text, x: column.balance, style: fitted(text, amountWidth) });
    }
    row(body!, cells);
    paper.rule(y + height - lineHeight - 1);
    y += height;
  }

  /** The final figure of a table, with the double rule. */
  function final(label: string, cents: bigint): void {
    const style: TextStyle = { weight: 'bold' };
    const text = formatCents(cents);
    const right = fitted(text, amountWidth * 2, style);
    row(body!, [
      { role: 'TH', scope: 'Row', text: label, x: column.text, style },
      { role: 'TD', text, x: column.balance, style: right },
    ]);
    paper.doubleRule(y + 5, column.balance - paper.measure(text, right));
    table!.end();
    [table, body] = [undefined, undefined];
    y += 30;
  }

  /** Ends the table of movements, or says that there are none. */
  function endMovements(): void {
    if (balance !== statement.closingCents)
      throw new Error(`The statement does not tie: ${balance} instead of ${statement.closingCents}`);
    if (count === 0) {
      paper.tag('P', () =>
        paper.place(recordsMessages.noTransactions, page.left, y, { color: colors.quiet }),
      );
      y += 30;
    } else {
      if (makeRoom(30)) heads(true);
      final(closingText(), balance);
    }
  }

  function pendingHead(): void {
    makeRoom(110);
    y += 6;
    paper.tag('H2', () => paper.place(recordsMessages.pending, page.left, y, { size: 13, weight: 'bold' }));
    y += 16;
    const note = fill(recordsMessages.pendingNote, { day: nameOfDay(statement.to) });
    for (const text of wrap(paper, note, page.right - page.left, small)) {
      paper.tag('P', () => paper.place(text, page.left, y, small));
      y += lineHeight;
    }
    y += 10;
  }

  return {
    /** Adds movements, oldest first. */
    add(lines: readonly StatementLine[]): void {
      for (const line of lines) {
        balance += line.cents;
        count++;
        movement(line, balance);
      }
    },
    /** Adds pending payments, oldest first, after all movements. */
    addPending(lines: readonly StatementLine[]): void {
      if (pendingCents === undefined) {
        endMovements();
        pendingHead();
        pendingCents = 0n;
      }
      for (const line of lines) {
        pendingCents += line.cents;
        movement(line);
      }
    },
    /** Ends the document. Throws if the movements do not lead from the opening balance to the closing balance. */
    async end(): Promise<void> {
      if (pendingCents === undefined) endMovements();
      else {
        if (makeRoom(30)) heads(false);
        final(recordsMessages.pendingTotal, pendingCents);
      }
      makeRoom(40);
      const notes = [fill(recordsMessages.question, { phone: bank.phone, email: bank.supportEmail })];
      if (hasMissing) notes.push(recordsMessages.missing);
      for (const note of notes) {
        paper.tag('P', () => paper.place(note, page.left, y, small));
        y += lineHeight;
      }
      await paper.end();
    },
  };
}

/** `+$25.00` or `−$25.00`. */
const signed = (cents: bigint): string => `${cents > 0n ? '+' : ''}${formatCents(cents)}`;
