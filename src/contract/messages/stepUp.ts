/** Texts of step-ups. */
export const required = 'Please confirm this with a second step.';
export const canceled = 'You canceled this before you confirmed it.';
export const nothingChanged = 'Nothing was changed.';
export const nothingDone = 'Nothing was sent or changed.';
export const wrongCode = 'This code isn’t right. Check the newest email, or send a new code.';
export const expiredCode = 'This code has expired. Send a new code.';
export const wrongAppCode =
  'This code isn’t right, or it has expired. Wait for the next code in your app and try again.';
export const wrongPasskey = 'We couldn’t confirm this with your passkey. Please try again.';
export const gone = 'This confirmation has expired. Please start again.';
export const confirmedBefore =
  'This confirmation can’t be used anymore. If nothing happened, please start again.';
export const usedUp =
  'There were too many wrong attempts, so this confirmation can’t be used anymore. Please start again.';
export const codeForOther = 'Your last code was for something else, so it doesn’t work here.';
export const codeUsed =
  'The last code that we emailed you was for this, but it was already used. You need a new one.';
export const notByEmail =
  'We can’t confirm this by email now. If your password was reset or your email was changed in the last 24 hours, try again after that.';
export const notOffered = 'Please choose another way to confirm.';
