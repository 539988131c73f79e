/** Texts of the transaction list and of one transaction. */
import { bank } from '../constants.ts';

export const list = 'Transactions';
export const one = 'Transaction';
export const balance = 'Balance';
export const balanceFailed = 'Error fetching wallet balance';
export const none = 'No transactions found';
export const allTypes = 'All Types';
export const typeTransfer = 'Transfer';
export const typeAdminCredit = 'Admin Credit';
export const typeExternal = 'External Transfer';
const typeDeposit = 'Deposit';
const typeReversal = 'Reversal';
export const types = {
  transfer: typeTransfer,
  'admin-credit': typeAdminCredit,
  'external-transfer': typeExternal,
  reversal: typeReversal,
  deposit: typeDeposit,
} as const;
export const allStatus = 'All Status';
export const completed = 'Completed';
export const pending = 'Pending';
export const failed = 'Failed';
export const held = 'Held';
export const statuses = { completed, pending, failed } as const;
export const returned = 'Returned';
export const canceled = 'Canceled';
/** The API's reason for the return of a payment that its sender canceled. People read `canceled` instead. */
export const canceledReason = 'Cancelled';
/** The reason for the return of a payment that staff stopped before it was sent. */
export const returnedReason = `Returned by ${bank.name}`;
export const filter = 'Filter';
export const titleAdminCredit = 'Admin Credit';
export const titleExternal = 'External Transfer to {bank}';
export const titleReversal = 'Reversal';
export const titleReceived = 'Money Received';
export const titleSent = 'Money Sent';
export const fromParty = 'From: {name}';
export const toParty = 'To: {name}';
export const toExternalParty = 'To: {name} ({accountNumber})';
export const system = 'System';
export const closedAccount = 'Closed account';
/** Replaces the name of a payer or receiver at another bank after the customer's account was closed. */
export const erasedName = 'Name erased';
export const remainingBalance = 'Remaining balance of a closed account';
export const businessDays = '3-7 business days';
export const notFound = 'This transaction was not found';
export const notFoundText = 'The link may be wrong, or this transaction isn’t yours. No money has moved.';
export const inBalanceAgain = 'The money was returned to your balance.';
export const startDate = 'Start date must be a date like 2026-11-21';
export const endDate = 'End date must be a date like 2026-11-21';
export const exported = 'Export';
