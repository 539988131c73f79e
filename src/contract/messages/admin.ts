/** Texts of the administration. */
export const loginTitle = 'Admin Login';
export const loginText = 'Access the administrative dashboard';
export const loggingIn = 'Logging in...';
export const loggedIn = 'Login successful';
export const required = 'Please fill in all fields';
export const passwordLength = "An administrator's password has 12 characters or more";
export const dashboard = 'Dashboard';
export const approvals = 'Approvals';
export const idVerifications = 'ID Verifications';
export const creditUser = 'Credit User';
export const transactions = 'Transactions';
export const users = 'Users';
export const audit = 'Audit log';
export const unknownPerson = 'Somebody unknown';
export const approve = 'Approve';
export const approved = 'Account approved';
export const approvedBefore = 'This account was approved already';
export const noApprovals = 'No pending approvals';
export const loadingApprovals = 'Loading approvals...';
export const credited = 'Successfully credited {amount} to account {accountNumber}';
export const creditFailed = 'Failed to process credit';
export const creditPending = 'This account is not approved yet. Nothing was credited.';
export const creditSuccessTitle = 'Success!';
export const creditErrorTitle = 'Error';
export const descriptionRequired = 'Please enter a description';
export const totalTransactions = 'Total Transactions';
export const totalAmount = 'Total Amount';
export const successRate = 'Success Rate';
export const pendingApprovals = 'Pending Approvals';
export const verified = 'ID verified';
export const verifiedBefore = 'This ID was verified already';
export const noId = 'No ID uploaded';
export const idReplaced = 'This customer handed in another ID since you looked. Please view it again.';
export const frozen = 'User account frozen successfully';
export const unfrozen = 'User account unfrozen successfully';
export const frozenBefore = 'This account is frozen already';
export const unfrozenBefore = 'This account is open already';
export const customerGone = 'This customer is not here any more. Somebody may have deleted the account.';
export const freezeFailed = 'Failed to update account status';
export const deleted = 'User has been successfully deleted';
export const deleteFailed = 'Failed to delete user';
export const transactionsFooter = 'Page {page} of {pages} ({n} total transactions)';
export const noTransactions = 'No transactions found';
export const loadingTransactions = 'Loading transactions...';
export const searchCut = 'More than {n} fit; the newest {n} are listed';
export const searchIncomplete = 'Not everything before {time} could be looked at';
export const searchNarrower = 'Give days, or more of what you look for, to see the others.';
export const noUnverified = 'No pending ID verifications';
export const loadingUnverified = 'Loading verifications...';

/** Each kind of act that the audit log records, in words. The first five are recorded by the ledger's SQL functions. */
export const auditActions = {
  'transactions.posted': 'Transactions posted',
  'customer.credited': 'Customer credited',
  'external.settled': 'External transfer arrived',
  'external.returned': 'External transfer returned',
  'balance.swept': 'Remaining balance moved to unclaimed balances',
  'login.completed': 'Logged in',
  'login.failed': 'Login failed',
  'login.locked': 'Login locked',
  logout: 'Logged out',
  'session.ended': 'Session ended',
  'sessions.ended': 'Other sessions ended',
  'password.wrong': 'Wrong password given',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'reset.failed': 'Password reset failed',
  'reset.locked': 'Password reset locked',
  'contact.changed': 'Contact details changed',
  'avatar.changed': 'Picture changed',
  'id-card.received': 'ID document handed in',
  'customer.registered': 'Customer registered',
  'registration.removed': 'Registration removed by the mailbox’s owner',
  'registration.expired': 'Registration expired',
  'customer.approved': 'Customer approved',
  'customer.viewed': 'Customer looked at',
  'customer.id-viewed': 'ID document looked at',
  'customer.id-verified': 'ID verified',
  'customer.frozen': 'Account frozen',
  'customer.unfrozen': 'Account unfrozen',
  'customer.deleted': 'Customer deleted',
  'admin.created': 'Administrator created',
  'admin.disabled': 'Administrator disabled',
  'admin.password-reset': 'Administrator’s password reset',
} as const;
