/**
 * The sandbox rail: a calendar of cut-offs, and another bank that answers. The outcome depends only on the payment, so every
 * process gets the same answer. The other bank reads the files that were sent, and answers with files in the folder `in`.
 */
import { calendarDay } from '#contract/bankTime.ts';
import { externalTransfer } from '#contract/constants.ts';
import { sandboxRouting } from '../../base/routingNumbers.ts';
import { fingerprint } from '../../base/uuid.ts';
import type { Clock } from '../clock.ts';
import { openBaseRail, type RailSettings } from './baseRail.ts';
import { readRailFile, settledLine, writers } from './formats.ts';
import { writeNotice } from './iso20022.ts';
import { traceOf } from './nacha.ts';
import type { FileHead, IncomingLine, OutgoingFile, Payment, PaymentRail, WrittenFile } from './rail.ts';

const { fewestBusinessDays, mostBusinessDays } = externalTransfer;
const minWaitMs = 1_000;

/** Crockford's base 32. The last eight characters of a reference encode the last ten hexadecimal digits of the payment's id. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The number in the last eight hexadecimal digits of a payment's id, read from its reference. */
function endOfId(reference: string): number {
  let bits = 0n;
  for (const character of reference.replaceAll('-', '').slice(-8))
    bits = bits * 32n + BigInt(Math.max(0, alphabet.indexOf(character)));
  return Number(bits % 2n ** 32n);
}

const choices = mostBusinessDays - fewestBusinessDays + 1;
const businessDays = (end: number) => fewestBusinessDays + (end % choices);

/**
 * Opens the sandbox rail. A payment takes three to seven business days after it is submitted; its id decides how many. The
 * payment is returned if the account number ends in `0000`, and settled otherwise.
 */
export function openSandboxRail(clock: Clock, settings: RailSettings): PaymentRail {
  const daysOf = ({ id }: Payment) => businessDays(Number.parseInt(id.slice(-8), 16));
  const { rail, folder, after } = openBaseRail(settings, daysOf);

  /**
   * Answers all payments of a file that take this many days, and returns the names of the answers. Processes that do so at the
   * same time write the same files.
   */
  async function answer(file: OutgoingFile, days: number): Promise<string[]> {
    const { format, lines } = await readRailFile(Buffer.from(file.content), sandboxRouting);
    const isAch = format === 'nacha';
    const due = lines.filter(line => businessDays(endOfId(settledLine(format, line).transactionId)) === days);
    const [returned, settled] = [true, false].map(is =>
      due.filter(line => line.accountNumber.endsWith('0000') === is),
    ) as [IncomingLine[], IncomingLine[]];
    const madeAt = after(file.madeAt, days);
    const head = (kind: string): FileHead => ({
      id: fingerprint('sandbox', file.messageId, String(days), kind),
      madeAt,
      settlesOn: calendarDay(madeAt),
      from: sandboxRouting,
      to: settings.routingNumber,
    });
    const notices = settled.map(line => settledLine(format, line));
    const returns = returned.map(({ original, amountCents, accountNumber }, index) => ({
      original,
      amountCents,
      accountNumber,
      code: isAch ? 'R03' : 'AC01',
      trace: traceOf(sandboxRouting, index + 1),
    }));
    const answers: WrittenFile[] = [];
    if (notices.length > 0) answers.push(writeNotice(head('settled'), notices));
    if (returns.length > 0)
      answers.push(writers[isAch ? 'nacha' : 'iso20022'].writeReturns(head('returned'), returns));
    for (const { name, content } of answers) await folder.put('in', name, content);
    return answers.map(({ name }) => name);
  }

  return {
    ...rail,
    confirmsDeposits: false,
    routeTo: () => sandboxRouting,
    routeOf: () => sandboxRouting,
    async ask(payment, file) {
      const days = daysOf(payment);
      // No payment of the file is answered before its days are over.
      const at = after(file.madeAt, days);
      const now = clock.now();
      // A minimum delay, in case this clock is slightly behind the one that triggered the call.
      if (now < at) return { askAgainAt: new Date(Math.max(at.getTime(), now.getTime() + minWaitMs)) };
      return { files: await answer(file, days) };
    },
    // Acts as the other bank, which fetches what was sent, even if no process ever asks for an answer.
    async listIncoming(settledMs) {
      await folder.fetchAll();
      return await folder.list(settledMs);
    },
  };
}
