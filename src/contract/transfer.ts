/** Calls of the transfer area: looking up a receiver and sending money. */
import * as z from 'zod/mini';
import { externalAccountNumber, maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Transaction } from './entities.ts';
import { accountNumberText, amount, line, requiredLine } from './fields.ts';
import * as transferMessages from './messages/transfer.ts';

const description = z._default(line(maxLength.description), '');

/** Whether an IBAN passes the MOD 97-10 check (ISO 13616, ISO 7064) with check digits from 02 to 98. */
export function isIban(text: string): boolean {
  if (/^..(?:0[01]|99)/.test(text)) return false;
  const moved = text.slice(4) + text.slice(0, 4);
  let rest = 0;
  for (const character of moved.toUpperCase()) {
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

/** Whether a text is meant as an IBAN: two letters, two digits and 11 to 30 more letters or digits. */
export function looksLikeIban(text: string): boolean {
  return /^[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}$/.test(text);
}

/** Formats another bank's account number: an IBAN in groups of four, any other unchanged. */
export function formatExternalNumber(text: string): string {
  return looksLikeIban(text) ? text.toUpperCase().replace(/(.{4})(?=.)/g, '$1 ') : text;
}

/** An account number at another bank, in upper case. */
export const externalAccountNumberText = z.string({ error: transferMessages.externalAccountNumber }).check(
  z.trim(),
  z.toUpperCase(),
  z.refine(
    text => new RegExp(`^[A-Z0-9]{${externalAccountNumber.min},${externalAccountNumber.max}}$`).test(text),
    transferMessages.externalAccountNumber,
  ),
  z.refine(
    text => !looksLikeIban(text) || isIban(text),
    'This IBAN isn’t valid. Check the digits and letters.',
  ),
);

export const InternalTransfer = z.strictObject({
  receiverAccountNumber: accountNumberText,
  amount,
  description,
});

export const ExternalTransfer = z.strictObject({
  bankName: requiredLine(maxLength.bankName, transferMessages.bankName),
  accountNumber: externalAccountNumberText,
  accountName: requiredLine(maxLength.accountName, transferMessages.accountName),
  amount,
  description,
});

export const transferApi = {
  sendInternal: endpoint({
    method: 'POST',
    path: '/api/v1/user/transfer',
    access: 'customer',
    checkedByLedger: true,
    findsReceiver: true,
    body: InternalTransfer,
    idempotent: true,
    stepUp: true,
    status: 201,
    data: Transaction,
    message: transferMessages.sentApi,
    refusals: [
      'ACCOUNT_FROZEN',
      'NOT_FOUND',
      'SAME_ACCOUNT',
      'INSUFFICIENT_BALANCE',
      'LIMIT_EXCEEDED',
      'IDEMPOTENCY_MISMATCH',
    ],
    summary: 'Send money to another customer, at once',
  }),
  sendExternal: endpoint({
    method: 'POST',
    path: '/api/v1/user/external-transfer',
    access: 'customer',
    checkedByLedger: true,
    body: ExternalTransfer,
    idempotent: true,
    stepUp: true,
    status: 201,
    data: Transaction,
    message: transferMessages.externalApi,
    refusals: ['ACCOUNT_FROZEN', 'INSUFFICIENT_BALANCE', 'LIMIT_EXCEEDED', 'IDEMPOTENCY_MISMATCH'],
    summary: 'Send money to an account at another bank; it settles in 3-7 business days',
  }),
  verifyAccount: endpoint({
    method: 'GET',
    path: '/api/v1/user/verify-account/{accountNumber}',
    access: 'customer',
    quota: 'lookups',
    findsReceiver: true,
    params: z.strictObject({ accountNumber: z.string() }),
    data: z.object({ accountName: z.string(), accountNumber: z.string() }),
    message: transferMessages.accountFound,
    refusals: ['NOT_FOUND'],
    summary: 'The holder of an account number, before sending to it',
  }),
};
