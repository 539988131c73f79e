/** What every rail of this repository has: cut-offs and calendar of American banks, and the folder of the files. */
import { join } from 'node:path';
import { calendarDay, clockTime } from '#contract/bankTime.ts';
import { externalTransfer } from '#contract/constants.ts';
import type { RailFormat } from '#contract/rail.ts';
import { addBusinessDays } from '../businessDays.ts';
import { openRailFolder } from './folder.ts';
import { formatOf } from './formats.ts';
import type { Payment, PaymentRail } from './rail.ts';

export type RailSettings = {
  dataDir: string;
  railDaySeconds: number;
  railFormat: RailFormat;
  routingNumber: string;
};

/** 5 PM in New York, in summer and in winter. */
const cutOffTimes = ['T21:00:00Z', 'T22:00:00Z'];
/** Morning in New York, in summer and in winter. */
const answersComeAt = 'T14:00:00Z';

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

/**
 * A business day takes `railDaySeconds`. Days of the real length follow the calendar of American banks. Shorter days are all
 * business days. `daysOf`: how many business days the answer to a payment takes. The files are in the folder `rail` of
 * `dataDir`.
 */
export function openBaseRail(
  { railDaySeconds: daySeconds, railFormat, dataDir, routingNumber }: RailSettings,
  daysOf: (payment: Payment) => number,
) {
  const isReal = daySeconds === externalTransfer.daySeconds;
  const folder = openRailFolder(join(dataDir, 'rail'));
  const after = (at: Date, days: number) =>
    isReal ? answeredAt(at, days) : new Date(at.getTime() + days * daySeconds * 1000);
  const knownAt = (payment: Payment) => after(payment.submittedAt, daysOf(payment));
  const rail = {
    routingNumber,
    cutOff: at => (isReal ? nextCutOff(at) : endOfSimulatedDay(at, daySeconds * 1000)),
    settlesOn: madeAt => addBusinessDays(calendarDay(madeAt), 1),
    knownAt,
    // Even with simulated days of a few seconds, the customer is shown a real calendar day.
    expectedAt: payment =>
      isReal ? knownAt(payment) : answeredAt(payment.sentAt, externalTransfer.mostBusinessDays),
    formatOf: payment => formatOf(railFormat, payment),
    send: ({ name, content }) => folder.put('out', name, content),
    listIncoming: settledMs => folder.list(settledMs),
    readIncoming: name => folder.read(name),
    fileAway: (name, to, content) => folder.fileAway(name, to, content),
    deleteBefore: time => folder.deleteBefore(time),
  } satisfies Partial<PaymentRail>;
  return { rail, folder, after };
}
