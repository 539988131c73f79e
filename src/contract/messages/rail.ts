/** Texts of the payment rail. */
export const files = 'Rail files';
export const exceptionLists = { open: 'Open exceptions', resolved: 'Resolved exceptions' } as const;
export const sentBack = 'Deposits sent back';
export const resolved = 'Exception resolved';
export const gone = 'This exception does not exist.';
/** What became of a line whose exception has the reason `failed`. */
export const bookedOnRetry = 'Booked when it was tried again';
export const sentBackOnRetry = 'Sent back when it was tried again';
export const bookedSince = 'Booked in the meantime: {reference}';
export const sentBackSince = 'Sent back in the meantime';
/** Refusals of 'Try again'; the exception stays open. */
export const failedAgain =
  'The database still refuses this line ({reason}). Nothing was booked. Ask the person who runs the server to remove the cause, then try again.';
export const stillOpen = 'Nothing was booked: {reason}.';
export const notRetried = 'Only a line that could not be booked can be tried again.';
/** The bank itself ended the exception. */
export const resolvedBefore = 'This exception was already resolved: “{note}”';
export const resolvedFirst = '{name} already resolved this exception: “{note}”';

/** `returnReason` does not add the return code to this reason. */
export const unknownAccount = 'The other bank doesn’t know this account';
const otherReason = 'The other bank returned the payment';

/** What a return code means to the customer: ISO 20022 ExternalReturnReason1Code, and Nacha R01 to R33. */
const reasons: Readonly<Record<string, string>> = {
  AC01: unknownAccount,
  AC03: 'The account number is wrong',
  AC04: 'The account is closed',
  AC06: 'The account is blocked',
  AC13: 'The account is of the wrong kind',
  AC14: 'The account is of the wrong kind',
  AG01: 'The account doesn’t accept this kind of payment',
  AG02: 'The other bank doesn’t accept this kind of payment',
  AM02: 'The amount is more than the other bank accepts',
  AM03: 'The account doesn’t accept this currency',
  AM04: 'There wasn’t enough money to process the payment',
  AM05: 'The other bank already received this payment',
  AM06: 'The amount is less than the other bank accepts',
  AM09: 'The amount isn’t the agreed one',
  BE01: 'The name doesn’t match the account',
  BE04: 'The address of the receiver is missing',
  BE05: 'The other bank doesn’t recognize the sender',
  BE06: 'The receiver isn’t known at the other bank',
  BE07: 'The address of the sender is missing',
  CUST: 'The receiver asked to return the payment',
  DUPL: 'The other bank already received this payment',
  FOCR: 'The payment was recalled',
  FR01: 'The other bank suspects fraud',
  MD07: 'The account holder has died',
  MS02: 'The receiver refused the payment',
  MS03: otherReason,
  RC01: 'The other bank wasn’t found',
  RR01: 'The sender’s account details are missing',
  RR02: 'The sender’s name or address is missing',
  RR03: 'The receiver’s name or address is missing',
  RR04: 'The other bank may not accept the payment for legal reasons',
  TM01: 'The payment arrived after the other bank’s deadline',
  R01: 'There wasn’t enough money to process the payment',
  R02: 'The account is closed',
  R03: unknownAccount,
  R04: 'The account number is wrong',
  R06: 'The payment was recalled',
  R07: 'The receiver withdrew the permission for this payment',
  R08: 'The payment was stopped',
  R10: 'The receiver didn’t permit this payment',
  R12: 'The account was moved to another bank',
  R13: 'The other bank wasn’t found',
  R14: 'The account holder has died',
  R15: 'The account holder has died',
  R16: 'The account is blocked',
  R17: 'The payment had incorrect details',
  R20: 'The account doesn’t accept this kind of payment',
  R21: 'The other bank doesn’t recognize the sender',
  R22: 'The receiver didn’t recognize the payment',
  R23: 'The receiver refused the payment',
  R24: 'The other bank already received this payment',
  R29: 'The receiver didn’t permit this payment',
  R31: 'We agreed to let the other bank return the payment',
  R33: otherReason,
};

/** The reason of a return in words, with its code. */
export function returnReason(code: string): string {
  const words = (Object.hasOwn(reasons, code) && reasons[code]) || otherReason;
  return words === unknownAccount || code === '' ? words : `${words} (${code})`;
}

/** Why a line of a file was not applied. */
export const exceptionReasons = {
  unknown: 'No payment has this ID',
  amount: 'The amount is not that of the payment',
  account: 'The account is not that of the payment',
  currency: 'The currency is not US dollars',
  settled: 'The payment was already settled',
  returned: 'The payment was already returned or canceled',
  duplicate: 'This deposit was already received',
  mismatch: 'Another deposit has this ID',
  unannounced: 'The other bank reports a credit, but we received no payment',
  change: 'The other bank corrects the account number',
  unsupported: 'The bank does not process this kind of entry',
  failed: 'The line could not be booked, for example because a balance would be too large',
} as const;
