/** The texts of the payment rail in the back office. */
import { formatCount } from '#contract/count.ts';
import * as railMessages from '#contract/messages/rail.ts';
import type { RailException, RailFile } from '#contract/rail.ts';
import type { StatusProps } from '#web/ui/Status.tsx';

/** What the view shows: exceptions that wait or are resolved, or the files of a direction. */
export const railLists = ['open', 'resolved', 'out', 'in'] as const;

export const railWords = {
  title: 'Payment rail',
  show: 'Show',
  lists: {
    ...railMessages.exceptionLists,
    out: 'Files sent',
    in: 'Files received',
  } satisfies Record<(typeof railLists)[number], string>,
  loading: 'Loading...',
  none: {
    open: 'No exception is open',
    resolved: 'No exception was resolved',
    out: 'No file was sent',
    in: 'No file was received',
  } satisfies Record<(typeof railLists)[number], string>,
  noneText: {
    open: 'Lines of other banks’ files that match no payment appear here.',
    resolved: 'Resolved exceptions appear here with their reasons.',
    out: 'Payments leave in a file at each cut-off.',
    in: 'Files from other banks appear here after they are read.',
  } satisfies Record<(typeof railLists)[number], string>,
  waiting: (n: number) =>
    n === 1
      ? '1 payment or return waits for the next file.'
      : `${formatCount(n)} payments and returns wait for the next file.`,

  what: 'Exception',
  where: (file: string, line: number) => `${file}, line\u00a0${formatCount(line)}`,
  kinds: {
    settled: 'Notice of a settlement',
    returned: 'Return of a payment',
    deposit: 'Deposit',
    credit: 'Notice of a credit',
    change: 'Notification of change',
    other: 'Other entry',
  } as Readonly<Record<RailException['kind'], string>>,
  details: 'Details',
  amount: 'Amount',
  id: (key: string) => `ID ${key}`,
  account: 'Account',
  retry: 'Try again',
  close: 'Resolve',
  closeConfirm: 'Resolve exception',
  closeTitle: 'Resolve this exception?',
  closeText: 'The exception leaves the queue. No money moves. Your reason stays with it.',
  notBooked:
    'It isn’t booked, it isn’t tried again by itself, and it wasn’t sent back. Once the cause is gone, an operator can try it again. Don’t credit it by hand, or it can be paid twice.',
  notSentBack:
    'This deposit wasn’t booked and wasn’t sent back. Don’t credit it by hand. Ask the other bank to recall it.',
  otherSender: ({ line, earlier }: NonNullable<RailException['senders']>) =>
    `Bank ${earlier} sent another deposit with this ID before. This one is from bank ${line}. It wasn’t booked and wasn’t sent back. Don’t credit it by hand. Ask bank ${line} to recall it and send it with a new ID.`,
  sentBackBefore:
    'The first one was sent back, and this one was neither booked nor sent back. Don’t credit it by hand. If it’s a new payment, ask the other bank to recall it and send it with a new ID.',
  noPayment:
    'Agree with the other bank on what is due. If that takes a credit or a reversal, make it. Then write in the reason what you did.',
  otherDeposit: 'The other deposit:',
  notAfterClosing: 'After that, it can’t be tried again.',
  closeHint: 'What you found and did. Only staff read this.',
  left: 'It left this list, so it may be resolved already. Look under “Resolved exceptions” before you try again.',
  failed: 'The exception wasn’t changed',

  file: 'File',
  format: 'Format',
  state: 'State',
  states: {
    made: 'To be sent',
    sent: 'Sent',
    ended: 'All payments done',
    read: 'Being applied',
    applied: 'Applied',
    refused: 'Refused',
  } satisfies Record<RailFile['state'], string>,
  statuses: {
    made: 'pending',
    sent: 'active',
    ended: 'completed',
    read: 'pending',
    applied: 'completed',
    refused: 'refused',
  } satisfies Record<RailFile['state'], StatusProps['status']>,
  lines: 'Lines',
  exceptions: (n: number) => (n === 1 ? '1 exception' : `${formatCount(n)} exceptions`),
  sentBack: (n: number) => `${formatCount(n)} sent back`,
  viewSentBack: (n: number, file: string) => `View ${formatCount(n)} sent back: ${file}`,
  accountHead: 'Account number',
  line: (n: number) => `Line ${formatCount(n)}`,
  sentBy: 'Sent by',
  reason: 'Reason',
  noneSentBack: 'No deposit was sent back',
  noneSentBackText: 'Deposits that went back to the other bank appear here.',
  total: 'Total',
  noTotal: 'Several currencies',
  when: 'When',
  footer: {
    exceptions: (page: string, pages: string, n: string) =>
      `Page ${page} of ${pages} (${n === '1' ? '1 exception' : `${n} exceptions`})`,
    deposits: (page: string, pages: string, n: string) =>
      `Page ${page} of ${pages} (${n === '1' ? '1 deposit' : `${n} deposits`})`,
    files: (page: string, pages: string, n: string) =>
      `Page ${page} of ${pages} (${n === '1' ? '1 file' : `${n} files`})`,
  },
} as const;
