/** Texts of roles, staff, requests for a second approval, and the customer page. */
export const roleNames = {
  viewer: 'Viewer',
  support: 'Support',
  operator: 'Operator',
  auditor: 'Auditor',
  owner: 'Owner',
} as const;
export const roleDescriptions = {
  viewer: 'Can see customers and transactions, and change nothing.',
  support:
    'Can see customers and transactions, write notes, end sessions, resend emails, and handle messages and alerts.',
  operator:
    'Can do what Support can, and approve, verify, decide screening matches, credit, reverse, pay out unclaimed balances, freeze, change customers’ details, and delete.',
  auditor:
    'Can see everything (including the audit log), start proofs of the books, and open the data kept about former customers. Can change nothing else.',
  owner:
    'Can do everything, including managing the staff, but can’t open the data kept about former customers.',
} as const;

export const staff = 'Staff';
export const role = 'Choose a role';
export const name = 'Enter a name';
export const invited = 'We emailed {email} a link to set a password. It works for {hours} hours.';
export const emailTaken = 'This email belongs to an administrator, or did before.';
export const disabled = 'Administrator disabled';
export const disabledBefore = 'This administrator is already disabled.';
export const enabled = 'Administrator enabled. We emailed a link to set a password.';
export const enabledBefore = 'This administrator is already enabled.';
export const sessionsEnded = 'Every session has ended.';
export const lastOwner = 'This is the last owner. Make another administrator an owner first.';
export const noSuchMember = 'This administrator does not exist.';
export const memberDisabled = 'This administrator is disabled. Enable the administrator first.';
export const linkInvalid =
  'This link was already used or has expired. If you set your password with it, log in. If not, ask an owner for a new link.';

export const requests = 'Requests';
/** The message of the answer 202: the act waits for a second person. */
export const asked = 'A second operator or owner must approve this. Nothing has changed yet.';
/** The message of the answer 202 to a repeated act whose request was decided or has expired. */
export const askedBefore = 'This was requested before, and the request is no longer waiting: {state}.';
export const moreMoneyNow = 'The customer has more money now than when this was requested.';
export const requestFailed = 'Nothing was changed. {reason}';
export const ownRequest = 'You can’t approve or decline your own request.';
export const notYourRequest = 'Only the person who made a request can withdraw it.';
export const requestDecided = 'This request was already decided or withdrawn.';
export const requestExpired = 'This request has expired, so nothing was changed.';
export const askerGone = 'The person who asked can no longer do this.';
export const askerLoggedOut =
  'The person who asked was logged out everywhere, or got a new password, before a second person approved.';
export const sameRequest =
  'A colleague’s request about this is waiting in Requests. It must be decided or withdrawn first.';
/** Instead of `sameRequest`, for the person who made that request. */
export const ownSameRequest =
  'Your own request about this is waiting in Requests. To ask for something else, withdraw it first.';
export const sameCredit =
  'Another request for the same customer, amount and description is also waiting. If both are approved, the customer is paid twice.';
export const sameCreditMade =
  'The same credit was made on {day} at {time} ({reference}). With this one, the customer is paid again.';
export const sameCreditSince =
  'Nothing was changed, because the same credit was made on {day} at {time} ({reference}). Check it, then decide.';
/** Instead of `sameCreditMade`, if the credit may have been made by a press whose answer was lost. */
export const sameCreditOrOwn =
  'The same credit was made on {day} at {time} ({reference}). It may be yours, because we didn’t get the answer to your press. If it’s yours, another press pays nothing. If it isn’t, another press pays the customer a second time.';
/** The same if another press would not pay, but request the credit. */
export const sameCreditOrOwnRequest =
  'The same credit was made on {day} at {time} ({reference}). It may be yours, because we didn’t get the answer to your press. If it’s yours, another press requests nothing. If it isn’t, another press requests a second credit.';
export const noSuchRequest = 'This request does not exist.';
export const requestKinds = {
  credit: 'Credit',
  reversal: 'Reversal',
  deletion: 'Deletion of a customer with money',
  role: 'Change of role',
  invitation: 'Invitation of an operator or owner',
  limit: 'Change of the amount that needs a second person',
  unclaimed: 'Payout of an unclaimed balance',
  email: 'Change of a customer’s email',
} as const;
export const requestStates = {
  pending: 'Waiting',
  done: 'Done',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  failed: 'Not possible',
} as const;

/** Refuses to assign work that a colleague took first. */
export const takenBy = 'This is now assigned to {name}. You can take it over.';
/** Refuses any other act on work that a colleague took first. If the button is pressed again, the act is done. */
export const takenButPressAgain = 'This is now assigned to {name}. To go ahead anyway, press again.';

export const reason = 'Enter a reason';
export const reversed = 'Transaction reversed';
export const cannotReverse = 'Only a credit or a transfer between two customers can be reversed.';
export const reversedBefore = 'This transaction was already reversed.';
export const reversalClosed = 'One of the accounts is closed. The transaction can’t be reversed.';
export const reversalBalance =
  'The receiver’s balance is smaller than the amount. The transaction can’t be reversed.';
export const reversalInGoals =
  'The receiver’s balance is smaller than the amount: {available} is available, and {goals} is in savings goals, which only the customer can take out.';
export const reversalOf = 'Reversal of {reference}';

export const rejected = 'Application rejected. We emailed the applicant and erased their data.';
export const approvedAlready = 'This account is approved. It can be frozen or deleted, but not rejected.';
export const applicantHasMoney = 'This account has money. It can’t be rejected.';
export const verifiedAlready = 'The ID document is already verified.';

export const customers = 'Customers';
export const customer = 'Customer';
export const notes = 'Notes';
export const note = 'Enter a note';
export const sessions = 'Sessions and devices';
export const sessionEnded = 'Session ended';
export const sessionGone = 'This session has already ended.';
export const mails = 'Emails';
export const mailNotResendable = 'This email can’t be sent again.';
export const history = 'History';
export const detailsSame = 'Nothing was changed.';
export const emailAlone =
  'A second operator or owner must approve a new email. Change the email first, and the rest after that.';
export const emailOfOther = 'Another customer has this email.';
export const emailAfterReset =
  'The password was reset before the first login, so a stranger may be using this account. Reject or delete it and ask the customer to register again, or first verify an ID document that was uploaded after the reset.';
export const aboutYou = 'This request is about you. Another operator or owner must decide it.';
export const exportReady = 'Your file is ready';
