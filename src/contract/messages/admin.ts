/** Texts of the administration. */
export const loginText = 'Access the administrative dashboard';
export const loggingIn = 'Logging in...';
export const loggedIn = 'Login successful';
export const passwordLength = 'An administrator’s password must have at least 12 characters';
export const passwordCommon = 'This password is easy to guess. Choose another one.';
export const dashboard = 'Dashboard';
export const approvals = 'Approvals';
export const idVerifications = 'ID Verifications';
export const creditUser = 'Credit User';
export const transactions = 'Transactions';
export const users = 'Users';
export const audit = 'Audit log';
export const unknownPerson = 'Unknown';
export const approve = 'Approve';
export const approved = 'Account approved';
export const idRequestedSince =
  'A colleague has asked this customer for an ID document. Nothing was changed. Read why it was requested, then decide.';
export const resetSince =
  'This customer’s password was reset before the first login, so the person may not be the one who registered. Nothing was changed. Check who it is, then decide.';
export const approvedBefore = 'This account was already approved';
export const noApprovals = 'No pending approvals';
export const loadingApprovals = 'Loading approvals...';
export const credited = 'Successfully credited {amount} to account {accountNumber}';
export const creditFailed = 'Failed to process credit';
export const creditPending = 'This account is not approved yet.';
export const creditSuccessTitle = 'Success!';
export const creditErrorTitle = 'Error';
export const totalTransactions = 'Total Transactions';
export const totalAmount = 'Total Amount';
export const successRate = 'Success Rate';
export const pendingApprovals = 'Pending Approvals';
export const verified = 'ID verified';
export const verifiedBefore = 'This ID was already verified';
export const noId = 'No ID uploaded';
export const idReplaced =
  'This customer uploaded a new ID after you viewed the last one. Please view the new one.';
export const identityChanged =
  'This customer changed their date of birth or city after you viewed them. Please view them again.';
export const frozen = 'User account frozen successfully';
export const unfrozen = 'User account unfrozen successfully';
/** Keyed by the current state of the confirmed match; `open`: a new decision is waiting. */
export const unfreezeConfirmed = {
  match:
    'This customer is a confirmed match with the sanctions list. To unfreeze the account, enter a reason.',
  open: 'This customer was confirmed as a match with the sanctions list, and a new decision is waiting. To unfreeze the account, enter a reason.',
} as const;
export const frozenBefore = 'This account is already frozen';
export const unfrozenBefore = 'This account is already active';
export const freezeChanged = 'The freeze of this account has changed. Check it, then decide.';
export const customerGone = 'This customer no longer exists. The account may have been deleted.';
export const bankHeld =
  'The bank was restored from a backup. No account can be deleted until it is released.';
export const freezeFailed = 'Failed to update account status';
export const deleted = 'User has been successfully deleted';
export const deleteFailed = 'Failed to delete user';
export const transactionsFooter = 'Page {page} of {pages} ({n} total transactions)';
export const noTransactions = 'No transactions found';
export const loadingTransactions = 'Loading transactions...';
export const searchCut = 'More than {n} match. The newest {n} are listed.';
export const searchIncomplete = 'Not every transaction before {time} could be searched';
export const searchNarrower = 'Choose dates or enter more search terms to see the others.';
export const noUnverified = 'No pending ID verifications';
export const loadingUnverified = 'Loading verifications...';

/** The names of filters and sort orders, for the panel and for the audit log's description of what was viewed. */
export const customerStates = { pending: 'Pending approval', active: 'Active', frozen: 'Frozen' } as const;
export const documentStates = {
  missing: 'Not uploaded',
  requested: 'Requested',
  review: 'Under review',
  verified: 'Verified',
} as const;
export const queueLists = { all: 'All customers', confirmed: 'Email confirmed' } as const;
export const queueSorts = {
  oldest: 'Longest wait first',
  newest: 'Newest first',
  name: 'Last name, A–Z',
} as const;
export const actorKinds = { customer: 'Customer', admin: 'Administrator', system: 'System' } as const;

/** Each kind of act that the audit log records, in words. */
export const auditActions = {
  'transactions.posted': 'Transactions posted',
  'customer.credited': 'Customer credited',
  'external.settled': 'External transfer completed',
  'external.returned': 'External transfer returned',
  'deposit.received': 'Deposit received',
  'deposit.returned': 'Deposit sent back',
  'balance.swept': 'Remaining balance moved to unclaimed balances',
  'proof.started': 'Proof of the books started',
  'unclaimed.listed': 'Unclaimed balances viewed',
  'unclaimed.paid': 'Unclaimed balance paid out',
  'login.completed': 'Logged in',
  'login.failed': 'Login failed',
  'login.locked': 'Login locked',
  'factor.app-added': 'Authenticator app added',
  'factor.app-removed': 'Authenticator app removed',
  'factor.recovery-renewed': 'Recovery codes renewed',
  'factor.recovery-used': 'Recovery code used',
  'factor.passkey-added': 'Passkey added',
  'factor.passkey-removed': 'Passkey removed',
  'factors.reset-requested': 'Removal of second factors requested',
  'factors.reset-canceled': 'Removal of second factors canceled',
  'factors.reset-postponed': 'Removal of second factors postponed',
  'factors.reset': 'Second factors removed',
  logout: 'Logged out',
  'transactions.exported': 'Transactions exported',
  'statement.downloaded': 'Statement downloaded',
  'receipt.downloaded': 'Receipt downloaded',
  'data.requested': 'Copy of personal data requested',
  'data.exported': 'Copy of personal data downloaded',
  'statements.made': 'Statements made',
  'session.ended': 'Session ended',
  'sessions.ended': 'Other sessions ended',
  'password.wrong': 'Wrong password entered',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset',
  'reset.failed': 'Password reset failed',
  'reset.locked': 'Password reset locked',
  'step-up.failed': 'Confirmation failed',
  'step-up.confirmed': 'Confirmed with a second step',
  'limits.changed': 'Limits changed',
  'external.canceled': 'External transfer canceled',
  'contact.changed': 'Contact details changed',
  'identity.changed': 'Date of birth or city changed',
  'payee.added': 'Payee saved',
  'payee.renamed': 'Payee’s nickname changed',
  'payee.removed': 'Payee removed',
  'push.added': 'Push notifications turned on',
  'push.changed': 'Push notifications of a device changed',
  'push.removed': 'Push notifications turned off',
  'push.taken-over': 'Push notifications of a browser turned on for another account',
  'scheduled.added': 'Transfer scheduled',
  'scheduled.changed': 'Scheduled transfer changed',
  'scheduled.skipped': 'Date of a scheduled transfer skipped',
  'scheduled.removed': 'Scheduled transfer deleted',
  'goal.added': 'Savings goal added',
  'goal.changed': 'Savings goal changed',
  'goal.removed': 'Savings goal deleted',
  'goal.moved': 'Money moved to or from a savings goal',
  'avatar.changed': 'Profile image changed',
  'id-card.received': 'ID document uploaded',
  'customer.registered': 'Customer registered',
  'registration.removed': 'Registration removed by the email’s owner',
  'registration.expired': 'Registration expired',
  'customer.approved': 'Customer approved',
  'customers.listed': 'Customer list viewed',
  'approvals.listed': 'Approvals viewed',
  'verifications.listed': 'ID verifications viewed',
  'transactions.listed': 'Transaction list viewed',
  'audit.listed': 'Audit log viewed',
  'transaction.viewed': 'Transaction viewed',
  'customer.viewed': 'Customer record viewed',
  'application.viewed': 'Application viewed',
  'customer.id-viewed': 'ID document viewed',
  'customer.id-verified': 'ID document verified',
  'customer.frozen': 'Account frozen',
  'own-freeze.set': 'Account frozen by its customer',
  'freeze-link.used': 'Link that freezes the account used',
  'own-freeze.lifted': 'Account unfrozen by its customer',
  'customer.unfrozen': 'Account unfrozen',
  'customer.deleted': 'Customer deleted',
  'admin.created': 'Administrator created',
  'admin.disabled': 'Administrator disabled',
  'retained.opened': 'Retained identification data opened',
  'secret.rotated': 'Secret of the bank rotated',
  'bank.held': 'Bank held after a restore',
  'bank.released': 'Bank released after a restore',
  'admin.password-reset': 'Administrator’s password reset',
  'transaction.reversed': 'Transaction reversed',
  'customer.reversed': 'Transaction of the customer reversed',
  'customer.rejected': 'Application rejected',
  'customer.renamed': 'Customer’s name changed',
  'customer.email-changed': 'Customer’s email changed',
  'customer.id-requested': 'ID document requested',
  'customer.sessions-ended': 'Customer’s sessions ended',
  'note.added': 'Note written',
  'messages.listed': 'Contact messages viewed',
  'message.viewed': 'Contact message viewed',
  'message.assigned': 'Contact message assigned',
  'message.answered': 'Contact message answered',
  'message.closed': 'Contact message closed',
  'mail.resent': 'Email sent again',
  'customers.exported': 'Customers exported',
  'audit.exported': 'Audit log exported',
  'admin.invited': 'Administrator invited',
  'admin.role-changed': 'Role changed',
  'admin.enabled': 'Administrator enabled',
  'admin.link-sent': 'Link to set a password sent',
  'admin.password-set': 'Password set with a link',
  'admin.sessions-ended': 'Administrator’s sessions ended',
  'requests.listed': 'Requests viewed',
  'request.made': 'Second approval requested',
  'request.approved': 'Request approved',
  'request.declined': 'Request declined',
  'request.withdrawn': 'Request withdrawn',
  'request.expired': 'Request expired',
  'request.failed': 'Request could not be carried out',
  'screening.imported': 'Sanctions list imported',
  'screening.listed': 'Screening viewed',
  'alerts.listed': 'Alerts viewed',
  'screening.found': 'Possible match on the sanctions list',
  'screening.confirmed': 'Match on the sanctions list confirmed',
  'screening.cleared': 'Match on the sanctions list cleared',
  'screening.reopened': 'Match on the sanctions list reopened',
  'four-eyes.changed': 'Amount for a second approval changed',
  'alert.raised': 'Alert raised',
  'alert.assigned': 'Alert assigned',
  'alert.closed': 'Alert closed',
  'rail.listed': 'Rail exceptions viewed',
  'rail.sent-back-listed': 'List of sent-back deposits viewed',
  'rail.assigned': 'Rail exception assigned',
  'rail.resolved': 'Rail exception resolved',
  'rail.retried': 'Rail exception tried again',
  'preferences.changed': 'Notification settings changed',
} as const;
