/** The transfer screen's texts that the specification does not fix; those it fixes are in the contract's messages. */

import * as transferMessages from '#contract/messages/transfer.ts';
import * as bankWords from '#web/bank/words.ts';
import type { TransferField, TransferKind } from './transferForm.ts';

export const words = {
  dailyLimit: 'Daily limit {limit}: {sent} sent today, {left} left.',
  changeLimits: 'See your limits',
  repeat: 'Repeat or send later',
  kind: 'Kind of transfer',
  form: 'Transfer',
  frozen: 'You can’t send money while your account is frozen.',
  summary: 'Summary',
  showBalance: 'Show balance',
  hideBalance: 'Hide balance',
  numberHint: '12 digits. The receiver can find it on their Overview.',
  holderHint: 'Larkspur customer. The money arrives right away.',
  verified: 'verified',
  readBack: 'You’re sending {amount} to {name}.',
  readBackEmpty: 'Check your transfer here before you send it.',
  to: 'To',
  dash: '–',
  total: 'Total',
  balanceAfter: 'Balance after',
  final: 'You can’t take back a transfer to a Larkspur customer. Check the name before you send.',
  finalExternal:
    'The money leaves your balance right away and arrives in {days} business days. You can cancel it until we send it to the other bank.',
  checkFields: 'Check these fields: {list}',
  heldTitle: 'Your last transfer isn’t confirmed yet',
  heldText:
    'We’re still confirming {amount} to account {number}. If you have the bank open in another tab, that tab may ask you to confirm it. You can send again as soon as we know the result.',

  account: 'Account',
  reference: 'Reference',
  date: 'Date',
  arrived: 'The money has arrived.',
  onItsWay: 'You can follow it in your transactions.',
  unconfirmedTitle: 'Transfer Not Confirmed',
  confirms: 'Confirm {amount} to {name}',
  accountNamed: 'account {number}',
  questionTitle: 'Was This Transfer Sent?',
  questionText: 'It was started in this browser before you logged in. We don’t know whether it was sent.',
  questionHint:
    '“Check and send” shows the result. If the transfer wasn’t sent, we send it now. If you don’t recognize it, press “Discard.” That doesn’t undo a transfer that was sent.',
  checkAndSend: 'Check and send',
  discard: 'Discard',
  started: 'Started',
  checkFirst: 'Check your transactions before you send it again.',
  processingHint: 'You can close this. We’ll show you the result here.',
  receiptFailed: 'We couldn’t download your receipt',
  receiptFailedText: 'You can download it from your transactions later.',
  seeIt: 'View in transactions',
} as const;

export const payeeWords = {
  title: 'Payees',
  choose: 'Choose a payee',
  howTo: 'Choose who to pay. Most recent first.',
  search: 'Search by name, bank or account number',
  /** A phone has no room for the whole sentence. */
  searchHint: 'Name, bank or account number',
  loading: 'Loading payees...',
  failed: 'We couldn’t load your payees',
  none: 'No payees yet',
  noneText: 'When you send money, press Save as payee. Saved payees appear here.',
  noMatch: 'No payee matches your search.',
  paid: 'Paid {day}',
  saved: 'Saved as payee.',
  lastPaid: 'Your payee {name}. Last paid {day}.',
  neverPaid: 'Your payee {name}. Not paid yet.',
  firstTime: 'Not one of your payees yet.',
  savingFailed: 'Save as payee: {problem}',
  save: 'Save as payee',
  saving: 'Saving...',
  notSaved: 'Your payees weren’t changed. Try again.',
  edit: 'Edit {name}',
  closeEdit: 'Stop editing {name}',
  nickname: 'Nickname',
  saveNickname: 'Save nickname',
  remove: 'Remove payee',
  askRemove: 'Remove {name} from your payees?',
  removeNow: 'Remove',
  removing: 'Removing...',
} as const;

const fieldLabels: Record<TransferField, string> = {
  receiverAccountNumber: transferMessages.receiver,
  amount: transferMessages.amount,
  description: transferMessages.description,
  bankName: bankWords.bank,
  customBankName: bankWords.customBank,
  accountName: bankWords.accountName,
};

/** The name of a field, as its label says. */
export function labelOf(field: TransferField, kind: TransferKind): string {
  const isExternalNumber = kind === 'external' && field === 'receiverAccountNumber';
  return isExternalNumber ? bankWords.externalNumber : fieldLabels[field];
}
