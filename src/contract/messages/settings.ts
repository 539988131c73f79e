/** Texts of a customer’s settings. */
export const profileTab = 'Profile & Documents';
export const securityTab = 'Security';
export const avatarHint = 'Recommended: Square image, max 5MB';
export const save = 'Save Changes';
export const saving = 'Saving...';
export const updatePassword = 'Update Password';
export const updatingPassword = 'Updating...';
export const deleteAccount = 'Delete Account';
export const deleteWarnings = [
  'All transaction history deleted',
  'Balance must be zero',
  'Pending transactions must be completed',
] as const;
export const confirmDelete = 'Confirm Delete';
export const deleting = 'Deleting...';
export const currentPasswordMissing = 'Please enter your current password';
export const wrongCurrentPassword = 'Current password is incorrect';
export const wrongPassword = 'Password is incorrect';
export const passwordMismatch = 'Passwords do not match';
export const samePassword = 'Please choose a password that differs from your current one';
export const passwordUpdated = 'Password updated successfully';
export const contactUpdated = 'Contact information updated successfully';
/** The session has ended after a deletion whose answer was lost. */
export const accountMaybeDeleted =
  'Your session has ended, and your account may have been deleted. If it was, we’ll email you to confirm. If no email comes, log in again.';
export const accountDeleted = 'Account deleted successfully';
export const imageUploaded = 'Image uploaded successfully';
export const balanceNotZero = 'Balance must be zero before you delete your account';
export const pendingTransactions = 'Pending transactions must be completed before you delete your account';
/** For an applicant who may not be the person who registered. */
export const contactLocked =
  'Your contact details can’t be changed here until we approve your account. If they are wrong, tell the Help Desk. Nothing was changed.';
export const emptyContact = 'Please fill in all fields';
export const invalidDateOfBirth = 'Please enter a valid date of birth';
export const tooYoung = 'You must be 18 or older to have an account';
export const dateOfBirthVerified =
  'Your ID is verified, so your date of birth can’t be changed here. To correct it, contact the Help Desk.';
export const sessions = 'Active sessions';
