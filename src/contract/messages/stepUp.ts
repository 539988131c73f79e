/** Texts of step-ups. */
export const required = 'Please confirm this with a second step.';
export const canceled = 'You canceled this before you confirmed it.';
export const nothingChanged = 'Nothing was changed.';
export const wrongCode = 'Invalid or expired code';
export const gone = 'This confirmation has expired. Please start again.';
export const codeForOther =
  'The last code that we emailed you is for something else, so it can’t confirm this.';
export const notByEmail =
  'We can’t confirm this by email now. If your password was reset or your email was changed in the last 24 hours, try again after that.';
export const notOffered = 'Please choose another way to confirm.';
