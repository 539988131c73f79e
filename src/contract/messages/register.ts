/** Texts of registration. */
export const missing = 'Please fill in all required fields: {list}';
export const email = 'Please enter a valid email address';
export const phone = 'Please enter a valid 10-digit phone number';
export const password = 'Password must be at least 6 digits long and contain only numbers';
export const gender = 'Gender must be either male or female';
export const zipCode = 'Please enter a valid ZIP code';
export const nameLetters = 'Please enter a name with at least one letter';
export const nameSymbols = 'Please enter a name without emoji or symbols';
export const tooManyNames = 'Please enter at most {max} names in all';
export const avatar = 'Please upload a profile image';
export const done = 'Registration successful! Your account will be approved within 24-48 hours.';
export const doneLogin = 'Registration successful! Please login to continue.';
export const proceed = 'Proceed to Login';
export const emailTaken = 'An account with this email already exists';
export const timeout = 'Upload taking too long. Please try with a smaller image or check your connection.';
export const failed = 'Registration failed. Please try again.';
export const network = 'Network error. Please check your connection and try again.';
export const removed =
  'The registration was removed. We erased everything in it except what the law requires us to keep.';
export const removalExpired =
  'This link no longer works. It is older than 30 days, someone has logged in to this account, or the registration no longer exists. If you copied the link, check that it is complete. If you didn’t register, contact the Help Desk.';
export const removalRefused =
  'There is money in this account, so it was not removed. Please contact customer service.';
export const removalHeld = 'Registrations cannot be removed right now. Please try again tomorrow.';
