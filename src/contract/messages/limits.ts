/** Texts of a customer's own limits, of freezing the account, and of canceling a payment. */
import { bank } from '#contract/constants.ts';

export const limits = 'Limits';
export const exceeded = 'This is more than your daily limit';
export const freezeState = 'Freeze';
export const frozen = 'Your account is frozen. No money can leave it.';
export const canceled = 'The payment was canceled. The money is back in your account.';
export const tooLateToCancel = 'This payment has already been sent to the other bank. It can’t be canceled.';
export const alreadyBack = 'The money from this payment is already back in your account.';
export const neverCancelable = 'You can only cancel a payment that you sent to another bank.';
export const notHeld = 'This payment isn’t being held.';
export const balanceTooLarge = 'The sender’s account can’t hold this much money. No money moved.';
const freezeOtherwise = `To freeze your account, log in or call us: ${bank.phone}.`;
export const linkInvalid = `This link is incomplete or has expired, or the account is closed. ${freezeOtherwise}`;
export const linkUsed =
  'You already used this link, and your account is still frozen. Setting a new password logs out all devices.';
export const linkUsedUnfrozen = `You have already used this link, and your account has been unfrozen since then. ${freezeOtherwise}`;
export const dailyOut = 'Daily limit';
export const stepUpFrom = 'Confirm transfers from';
