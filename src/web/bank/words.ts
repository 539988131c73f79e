/**
 * Texts of the components in web/bank that the specification does not fix. One export per text, so that the bundler drops
 * unused ones: import the file as `words` and use its members.
 */
import * as appMessages from '#contract/messages/app.ts';
import * as navMessages from '#contract/messages/nav.ts';
import type { Frequency } from '#contract/scheduled.ts';

export const balanceHidden = 'Balance hidden';
export const amountHidden = 'Amount hidden';

// The numeric password and its keypad.
export const keypad = 'Password keypad';
export const fillsMarked = 'Digits go into the highlighted field.';
export const clearAll = '{key}, clear all digits';
export const dropLast = '{key}, delete the last digit';
export const oneDigitEntered = '1 digit entered';
export const digitsEntered = '{n} digits entered';

// The holder of an account number.
export const holderPlace = 'The account holder’s name will appear here.';

// Picking and uploading a picture.
export const chooseImage = 'Choose image';
export const changeImage = 'Change image';
export const removeImage = 'Remove image';
export const dropImage = 'or drop it here';
export const upload = 'Upload';
export const uploadingNow = 'Uploading...';
export const uploadingFile = 'Uploading {name}';
export const cancelUpload = 'Cancel upload';

// Date of birth and city.
export const dateOfBirth = 'Date of birth';
export const dateOfBirthFixed = 'Verified with your ID document';
export const city = 'City';

// The filters of a printed list.
export const printFilter = '{label}: {value}';
export const printFrom = 'From {day}';
export const printTo = 'To {day}';

// Transactions. A payment to another bank can be canceled until it leaves.
export const cancelUntil = 'You can cancel this payment until {when}.';
export const cancelWhileHeld = 'You can cancel this payment until we send it.';
export const downloadReceipt = 'Download receipt';

// The ID document.
export const idDocument = 'ID document';
export const idNone = 'ID document: not added';
export const idNoneText =
  'We need to verify your identity. You can use a passport, an ID card or a driver’s license.';
export const idFirstRequestedText =
  'Please upload it. You can use a passport, an ID card or a driver’s license. Reason: {reason}';
export const idWaiting = 'ID document: under review';
export const idWaitingText = 'We received it and are reviewing it. You don’t need to do anything.';
export const idRequested = 'ID document: new one needed';
export const idRequestedText = 'We couldn’t verify your ID. Please upload a new one. Reason: {reason}';
export const idVerified = 'ID document: verified';
export const idVerifiedText = 'We’ve reviewed your ID. If you upload a new one, we’ll review it too.';
export const viewId = 'View my ID';
export const idUnknown =
  'We didn’t get an answer, so we don’t know whether your picture was saved. Select “View my ID” to check.';
export const viewIdFailed = 'We couldn’t open the picture. Please try again.';
export const idPicture = 'Picture of your ID document';
export const newerIdPicture = 'Upload a new one';
export const idPictureHint = `All four corners in view. ${appMessages.imageLimits}`;

// A customer's account details, to give to someone who pays.
export const shareDetails = 'Share account details';
export const detailsCopied = 'Account details copied';
export const detailsCopyFailed = `The browser did not allow copying. Press “${navMessages.addMoney}”: you can select the details there and copy them.`;
export const accountHolder = 'Account holder: {name}';
export const numberOfRouting = 'Routing number: {number}';
export const numberOfAccount = 'Account number: {number}';

// The filters of a transaction list.
export const search = 'Search';
export const searchHint = 'Name, amount, description, reference';
export const searchHintShort = 'Name or amount';
export const type = 'Type';
export const status = 'Status';
export const from = 'From';
export const to = 'To';
export const clear = 'Clear';
export const wrongRange = 'The start date is after the end date.';

// The steps of a transaction's history.
export const sent = 'Sent';
export const received = 'Received';
export const credited = 'Credited by the bank';
export const reversed = 'Reversed by the bank';
export const toUnclaimed = 'Moved to the unclaimed balances';
export const atOnce = 'It arrived right away.';
export const left = 'Left your balance';
export const leftSender = 'Left {name}’s balance';
export const leftUnclaimed = 'Left the unclaimed balances';
export const arrived = 'Arrived at {bank}';
export const expectedBy = 'Expected by {day}';
export const onItsWay = 'On its way';
export const held = 'Waits until your account is unfrozen';
export const heldAtBank = 'Waits until the account is unfrozen';
export const reason = 'Reason: {reason}';
export const backAtSender = 'The money was returned to {name}.';
export const unclaimed = 'the unclaimed balances';
export const backBeforeClosing = 'The money was returned to the customer. The account was closed later.';

// The description of a transfer.
export const charactersLeft = '{n} characters left';
export const oneCharacterLeft = '1 character left';

// Also for a date that does not exist, such as February 30: the browser reports that field as empty.
export const chooseDate = 'Choose a date';
// How often a transfer or a savings rule repeats.
export const frequencyNames: Record<Frequency, string> = {
  once: 'Once',
  weekly: 'Every week',
  biweekly: 'Every two weeks',
  monthly: 'Every month',
  yearly: 'Every year',
};

// The question before a row is removed.
export const keep = 'Keep';

// Leaving a form with unsaved changes.
export const leaveStay = 'Stay';
export const leaveLoses = 'What you entered here will be lost.';
export const leave = {
  unsaved: { title: 'Leave without saving?', go: 'Leave without saving' },
  unsent: { title: 'Leave without sending?', go: 'Leave without sending' },
  form: { title: 'Leave this form?', go: 'Leave this form' },
};

// The receiver at another bank.
export const bank = 'Bank';
export const chooseBank = 'Choose a bank';
export const customBank = 'Bank name';
export const accountName = 'Account holder’s name';
export const externalNumber = 'Account number or IBAN';
export const externalNumberHint = '4 to 34 letters and digits';
export const ibanRight = 'This IBAN is valid.';

/** After the answer to a new password was lost. `button` is the one that sends it. */
export const passwordUnknown =
  'We didn’t get an answer, so we don’t know whether your password was changed. Press {button} again to find out.';
export const passwordChangedBefore =
  'This isn’t your current password. If it’s your old one, your password was changed. Use the new one from now on.';
export const passwordAgain = 'Enter your new password again.';
