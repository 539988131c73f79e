/**
 * The sandbox rail: a calendar of cut-offs, and another bank that answers. The outcome depends only on the payment, so every
 * process gets the same answer. The other bank reads the files that were sent, and answers with files in the folder `in`.
 */
import { join } from 'node:path';
import { calendarDay, clockTime } from '#contract/bankTime.ts';
import { bank, externalTransfer } from '#contract/constants.ts';
import type { RailFormat } from '#contract/rail.ts';
import { fingerprint } from '../../base/uuid.ts';
import { addBusinessDays } from '../businessDays.ts';
import type { Clock } from '../clock.ts';
import { openRailFolder } from './folder.ts';
import { formatOf, readRailFile, writers } from './formats.ts';
import { writeNotice } from './iso20022.ts';
import { traceOf } from './nacha.ts';
import type { FileHead, IncomingLine, OutgoingFile, Payment, PaymentRail, WrittenFile } from './rail.ts';

/** Valid check digit, assigned to no bank (ABA). The sandbox routes every payment through this one bank. */
const sandboxRouting = '800000019';

const { fewestBusinessDays, mostBusinessDays } = externalTransfer;
/** 5 PM in New York, in summer and in winter. */
const cutOffTimes = ['T21:00:00Z', 'T22:00:00Z'];
/** Morning in New York, in summer and in winter. */
const answersComeAt = 'T14:00:00Z';
const minWaitMs = 1_000;

/** The time of an answer that takes `businessDays` business days. */
export function answeredAt(madeAt: Date, businessDays: number): Date {
  return new Date(addBusinessDays(calendarDay(madeAt), businessDays) + answersComeAt);
}

/** The first 5 PM in New York after `at` on a business day. */
function nextCutOff(at: Date): Date {
  for (let day = addBusinessDays(calendarDay(at), 0); ; day = addBusinessDays(day, 1)) {
    const cutOff = cutOffTimes.map(time => new Date(day + time)).find(one => clockTime(one) === '17:00:00')!;
    if (cutOff > at) return cutOff;
  }
}

function endOfSimulatedDay(at: Date, dayMs: number): Date {
  return new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs);
}

/** Crockford's base 32. A reference ends with the last ten hexadecimal digits of the payment's id, written with it. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The last eight hexadecimal digits of the id, as a number, from a reference with or without hyphens. */
function endOfId(reference: string): number {
  let bits = 0n;
  for (const character of reference.replaceAll('-', '').slice(-8))
    bits = bits * 32n + BigInt(Math.max(0, alphabet.indexOf(character)));
  return Number(bits % 2n ** 32n);
}

const choices = mostBusinessDays - fewestBusinessDays + 1;
const businessDays = (end: number) => fewestBusinessDays + (end % choices);

/**
 * Opens the sandbox rail. Three to seven business days after it is submitted, derived from its id, a payment is returned if the
 * account number ends in `0000`, and settled otherwise. A business day takes `railDaySeconds`: with the real length the calendar of
 * American banks applies; shorter days are all business days. The files are in the folder `rail` of `dataDir`.
 */
export function openSandboxRail(
  clock: Clock,
  {
    railDaySeconds: daySeconds,
    railFormat: wanted,
    dataDir,
  }: { railDaySeconds: number; railFormat: RailFormat; dataDir: string },
): PaymentRail {
  const isReal = daySeconds === externalTransfer.daySeconds;
  const folder = openRailFolder(join(dataDir, 'rail'));
  const daysOf = ({ id }: Payment) => businessDays(Number.parseInt(id.slice(-8), 16));
  const after = (at: Date, days: number) =>
    isReal ? answeredAt(at, days) : new Date(at.getTime() + days * daySeconds * 1000);
  const knownAt = (payment: Payment) => after(payment.submittedAt, daysOf(payment));

  /**
   * Answers all payments of a file that take this many days, and returns the names of the files with the answers. Processes that
   * do so at once write the same files.
   */
  async function answer(file: OutgoingFile, days: number): Promise<string[]> {
    const read = await readRailFile(Buffer.from(file.content), sandboxRouting);
    const isAch = read.format === 'nacha';
    const referenceOf = ({ original }: IncomingLine) => (isAch ? original.id : original.transactionId) ?? '';
    const due = read.lines.filter(line => businessDays(endOfId(referenceOf(line))) === days);
    const [returned, settled] = [true, false].map(is =>
      due.filter(line => line.accountNumber.endsWith('0000') === is),
    ) as [IncomingLine[], IncomingLine[]];
    const madeAt = after(file.madeAt, days);
    const head = (kind: string): FileHead => ({
      id: fingerprint('sandbox', file.messageId, String(days), kind),
      madeAt,
      settlesOn: calendarDay(madeAt),
      from: sandboxRouting,
      to: bank.routingNumber,
    });
    const written: WrittenFile[] = [];
    if (settled.length > 0)
      written.push(
        writeNotice(
          head('settled'),
          settled.map(line => ({
            amountCents: line.amountCents,
            transactionId: referenceOf(line),
            ...(isAch ? { trace: line.keys[0]! } : { endToEndId: line.original.endToEndId! }),
          })),
        ),
      );
    if (returned.length > 0)
      written.push(
        writers[isAch ? 'nacha' : 'iso20022'].writeReturns(
          head('returned'),
          returned.map(({ original, amountCents, accountNumber }, index) => ({
            original,
            amountCents,
            accountNumber,
            code: isAch ? 'R03' : 'AC01',
            trace: traceOf(sandboxRouting, index + 1),
          })),
        ),
      );
    for (const { name, content } of written) await folder.put('in', name, content);
    return written.map(({ name }) => name);
  }

  return {
    counterparty: sandboxRouting,
    cutOff: at => (isReal ? nextCutOff(at) : endOfSimulatedDay(at, daySeconds * 1000)),
    knownAt,
    // Even with simulated days of a few seconds, the customer is shown a real calendar day.
    expectedAt: payment => (isReal ? knownAt(payment) : answeredAt(payment.sentAt, mostBusinessDays)),
    formatOf: payment => formatOf(wanted, payment),
    send: ({ name, content }) => folder.put('out', name, content),
    async ask(payment, file) {
      const at = knownAt(payment);
      const now = clock.now();
      // A minimum delay, in case this clock is slightly behind the one that triggered the call.
      if (now < at) return { askAgainAt: new Date(Math.max(at.getTime(), now.getTime() + minWaitMs)) };
      await folder.fetchAll();
      return { files: await answer(file, daysOf(payment)) };
    },
    listIncoming: settledMs => folder.list(settledMs),
    readIncoming: name => folder.read(name),
    fileAway: (name, to, content) => folder.fileAway(name, to, content),
    deleteBefore: time => folder.deleteBefore(time),
  };
}
