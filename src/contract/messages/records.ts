/** Texts of statements, receipts and the copy of a customer's data. */
export const statements = 'Statements';
export const statement = 'Statement';
export const receipt = 'Receipt';
export const everything = 'Your data';
export const copies = 'Copies of your data';
export const tooManyCopies =
  'We already have {most} copies of your data. Save one of them, or wait until the oldest is deleted.';
export const copyAfterReset =
  'The password was reset before the first login, so we first need to know that this account is yours. Upload an ID document in Settings, unless we are already reviewing one that you uploaded after the reset. Once we have verified it, you can save your data.';
export const monthFormat = 'Choose a month like 2026-11';
export const monthBefore = 'Your account did not exist in {month}. Your first statement is for {first}.';
export const monthAhead = 'There is no statement for {month} yet';

/** Printed on statements and receipts. */
export const pageOf = 'Page {page} of {pages}';
export const continued = '{month}, continued';
export const accountStatement = 'Account statement';
export const soFar = '{days} (so far)';
export const madeAt = 'As of {time}, New York time';
export const holder = 'Account holder';
export const account = 'Account number';
export const routing = 'Routing number';
export const summary = 'Summary';
export const openingOn = 'Opening balance on {day}';
export const closingOn = 'Closing balance on {day}';
export const balanceNow = 'Current balance';
export const moneyIn = 'Money in';
export const moneyOut = 'Money out';
export const transactions = 'Transactions';
export const noTransactions = 'No transactions in this period.';
export const date = 'Date';
export const description = 'Description';
export const reference = 'Reference';
export const amount = 'Amount';
export const balance = 'Balance';
export const pending = 'Pending payments';
export const pendingNote =
  'As of {day}, these payments had already left your balance, but the other bank had not confirmed them yet. The balance above does not include this money.';
export const pendingTotal = 'Total pending';
export const question = 'Something looks wrong? Call {phone} or email {email}.';
export const missing =
  '□ replaces a character that we can’t print. If you copy the text, you get the original.';

/** On a receipt. */
export const status = 'Status';
export const dateAndTime = 'Date and time';
export const from = 'From';
export const to = 'To';
export const fromAccount = 'From account';
export const toAccount = 'To account';
export const toBank = 'Bank';
export const fromBank = 'From bank';
export const arrivedAt = 'Arrived';
export const returnReason = 'Reason';
export const masked = 'ending in {digits}';
export const pendingReceipt = 'This payment is on its way. The other bank has not confirmed it yet.';
export const heldReceipt = 'We have not sent this payment to the other bank yet.';
export const reversedReceipt =
  'We reversed this payment later. The money went back to the account it came from.';
export const reversalReceipt = 'This reverses an earlier payment. The description has its reference.';
export const returnedReceipt = 'This payment was not made. The money went back to the account it came from.';

/** The readme file in the copy of a customer's data. */
export const readme = `Everything that {bank} holds about you, as of {time}, New York time.

{files}

The .json files are text that people and programs can read. Times are in UTC (ISO 8601).
Amounts are in US dollars.
Statements are PDF files, one for each month.

{left}

This copy contains personal data. Keep it in a safe place.
Questions? Call {phone} or email {email}.`;
export const statementLeftOut = 'not in this copy, because {reason}. {file} has the transactions.';
export const notOneFile = 'it could not be made as one file';
export const disagrees = 'its figures do not agree with our records; please contact us';
export const failed = 'of an error in our system; please contact us';
export const leftOut =
  'These secrets are not in the copy, because they would let someone into your account: {secrets}.';
