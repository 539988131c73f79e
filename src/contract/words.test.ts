/** The texts that the specification and the product's decisions prescribe, as literals, compared with the messages. */
import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as admin from './messages/admin.ts';
import * as app from './messages/app.ts';
import * as auth from './messages/auth.ts';
import * as business from './messages/business.ts';
import * as contact from './messages/contact.ts';
import * as dashboard from './messages/dashboard.ts';
import * as errors from './messages/errors.ts';
import { fill } from './messages/fill.ts';
import * as home from './messages/home.ts';
import * as loans from './messages/loans.ts';
import * as nav from './messages/nav.ts';
import * as register from './messages/register.ts';
import * as settings from './messages/settings.ts';
import * as transactions from './messages/transactions.ts';
import * as transfer from './messages/transfer.ts';
import { formatCents } from './money.ts';

/** The product's text, the required text, and the requirements that prescribe it. */
type Row = readonly [actual: string, required: string, rows: string];

const screens: Record<string, readonly Row[]> = {
  'the page of any other path': [
    [app.notFoundTitle, 'Page Not Found', 'R-24'],
    [
      app.notFoundText,
      'The page you are looking for might have been removed or is temporarily unavailable.',
      'R-24',
    ],
    [app.backToHome, 'Back to Home', 'R-25'],
  ],
  'the header': [
    [nav.home, 'Home', 'R-30'],
    [nav.about, 'About', 'R-30'],
    [nav.business, 'Businesses & Institutions', 'R-30'],
    [nav.helpDesk, 'Help Desk', 'R-30'],
    [nav.login, 'Login', 'R-31'],
    [nav.dashboard, 'Dashboard', 'R-32'],
    [nav.logout, 'Logout', 'R-32'],
  ],
  'the home page': [
    [home.heroCta, 'Explore Our Services', 'H-02'],
    [home.heroApply, 'Apply Now', 'H-03'],
    [home.why[0], 'Secure Banking', 'H-05'],
    [home.why[1], 'Personalized Loan Options', 'H-05'],
    [home.why[2], 'Mortgage Solutions', 'H-05'],
    [home.why[3], '24/7 Customer Support', 'H-05'],
    [home.viewAll, 'View all', 'H-07'],
    [home.filters[0], 'all', 'H-13'],
    [home.filters[1], 'Account Management', 'H-13'],
    [home.filters[2], 'Guides', 'H-13'],
    [home.filters[3], 'Loans & Mortgages', 'H-13'],
    [home.filters[4], 'Credit Cards', 'H-13'],
    [home.filters[5], 'Savings & Investments', 'H-13'],
    [home.filters[6], 'Security & Fraud Prevention', 'H-13'],
    [contact.send, 'Send Message', 'H-22'],
    [contact.sending, 'Sending...', 'H-22'],
    [app.pleaseWait, 'Please wait', 'H-26'],
  ],
  'the business page': [
    [business.scheduleMeeting, 'Schedule a Meeting', 'P-07'],
    [business.downloadBrochure, 'Download Brochure', 'P-07'],
  ],
  'the login and registration screens': [
    [auth.clear, 'CLR', 'L-04'],
    [auth.deleteLast, 'DEL', 'L-04'],
    [auth.forgotLink, 'Forgot your password?', 'L-05'],
    [auth.login, 'Login', 'L-07'],
    [auth.verifyOtp, 'Verify OTP', 'L-07'],
    [auth.resendIn, 'Resend OTP in {n}s', 'L-14'],
    [auth.pendingTitle, 'Account Pending', 'L-16'],
    [register.proceed, 'Proceed to Login', 'G-07'],
  ],
  'the dashboard': [
    [dashboard.pendingTitle, 'Account Pending Approval', 'D-03'],
    [dashboard.welcome, 'Welcome, {firstName}', 'D-07'],
    [dashboard.verified, 'Verified', 'D-08'],
    [dashboard.pendingTag, 'Pending Approval', 'D-09'],
    [nav.overview, 'Overview', 'D-12'],
    [nav.transfer, 'Transfer', 'D-12'],
    [nav.transactions, 'Transactions', 'D-12'],
    [nav.settings, 'Settings', 'D-12'],
    [nav.loans, 'Loans', 'D-13'],
    [dashboard.totalSent, 'Total Sent', 'O-03'],
    [dashboard.totalReceived, 'Total Received', 'O-03'],
    [dashboard.totalTransactions, 'Total Transactions', 'O-03'],
    [dashboard.noRecent, 'No recent transactions found', 'O-05'],
    [dashboard.loadingTransactions, 'Loading transactions...', 'O-06'],
  ],
  'the transfer screen': [
    [transfer.internal, 'Internal Transfer', 'T-02'],
    [transfer.external, 'External Transfer', 'T-02'],
    [transfer.transferAmount, 'Transfer Amount', 'T-03'],
    [transfer.fee, 'Fee', 'T-04'],
    [transfer.send, 'Send Money', 'T-06'],
    [transfer.processing, 'Processing...', 'T-06'],
    [transfer.verifying, 'Verifying account...', 'T-10'],
    [transfer.otherBank, 'Other Bank', 'T-13'],
    [transfer.successfulTitle, 'Transfer Successful', 'T-17'],
    [transfer.initiatedTitle, 'Transfer Initiated', 'T-17'],
    [transfer.processingTitle, 'Transfer Processing', 'T-17'],
    [transfer.failedTitle, 'Transfer Failed', 'T-17'],
  ],
  'the loans screen': [
    [loans.title, 'Loan History', 'LN-02'],
    [loans.apply, 'Apply for Loan', 'LN-02'],
    [loans.totalBorrowed, 'Total Borrowed', 'LN-03'],
    [loans.activeLoans, 'Active Loans', 'LN-03'],
    [loans.nextPaymentDue, 'Next Payment Due', 'LN-03'],
    [loans.makePayment, 'Make Payment', 'LN-05'],
    [loans.viewDetails, 'View Details', 'LN-05'],
    [loans.none, 'No loan history found', 'LN-11'],
  ],
  'the list of transactions': [
    [transactions.allTypes, 'All Types', 'X-01'],
    [transactions.typeTransfer, 'Transfer', 'X-01'],
    [transactions.typeAdminCredit, 'Admin Credit', 'X-01'],
    [transactions.typeExternal, 'External Transfer', 'X-01'],
    [transactions.allStatus, 'All Status', 'X-02'],
    [transactions.completed, 'Completed', 'X-02'],
    [transactions.pending, 'Pending', 'X-02'],
    [transactions.failed, 'Failed', 'X-02'],
    [transactions.filter, 'Filter', 'X-06'],
    [app.pageOf, 'Page {page} of {pages}', 'X-09'],
    [transactions.none, 'No transactions found', 'X-10'],
    [transactions.titleAdminCredit, 'Admin Credit', 'X-12'],
    [transactions.titleExternal, 'External Transfer to {bank}', 'X-12'],
    [transactions.titleReceived, 'Money Received', 'X-12'],
    [transactions.titleSent, 'Money Sent', 'X-12'],
    [transactions.toExternalParty, 'To: {name} ({accountNumber})', 'X-14'],
    [transactions.fromParty, 'From: {name}', 'X-15'],
    [transactions.toParty, 'To: {name}', 'X-15'],
    [transactions.system, 'System', 'X-16'],
    [transactions.businessDays, '3-7 business days', 'X-17'],
    [transactions.returned, 'Returned', 'X-18'],
  ],
  'the settings': [
    [settings.profileTab, 'Profile & Documents', 'S-01'],
    [settings.securityTab, 'Security', 'S-01'],
    [settings.deleteAccount, 'Delete Account', 'S-01, S-12'],
    [settings.avatarHint, 'Recommended: Square image, max 5MB', 'S-03'],
    [settings.save, 'Save Changes', 'S-06'],
    [settings.saving, 'Saving...', 'S-06'],
    [settings.updatePassword, 'Update Password', 'S-08'],
    [settings.updatingPassword, 'Updating...', 'S-08'],
    [settings.deleteWarnings[0], 'All transaction history deleted', 'S-09'],
    [settings.deleteWarnings[1], 'Balance must be zero', 'S-10'],
    [settings.deleteWarnings[2], 'Pending transactions must be completed', 'S-11'],
    [app.cancel, 'Cancel', 'S-13'],
    [settings.confirmDelete, 'Confirm Delete', 'S-14'],
    [settings.deleting, 'Deleting...', 'S-14'],
  ],
  "the administrators' panel": [
    [nav.adminLogin, 'Admin Login', 'AL-01'],
    [admin.loginText, 'Access the administrative dashboard', 'AL-01'],
    [admin.loggingIn, 'Logging in...', 'AL-02'],
    [admin.dashboard, 'Dashboard', 'A-01'],
    [admin.approvals, 'Approvals', 'A-01'],
    [admin.idVerifications, 'ID Verifications', 'A-01'],
    [admin.creditUser, 'Credit User', 'A-01'],
    [admin.transactions, 'Transactions', 'A-01'],
    [admin.users, 'Users', 'A-01'],
    [admin.totalTransactions, 'Total Transactions', 'A-05'],
    [admin.totalAmount, 'Total Amount', 'A-05'],
    [admin.successRate, 'Success Rate', 'A-05'],
    [admin.pendingApprovals, 'Pending Approvals', 'A-05'],
    [admin.approve, 'Approve', 'A-06'],
    [admin.noUnverified, 'No pending ID verifications', 'A-11'],
    [admin.loadingUnverified, 'Loading verifications...', 'A-12'],
    [admin.creditSuccessTitle, 'Success!', 'A-17'],
    [admin.creditErrorTitle, 'Error', 'A-17'],
    [app.close, 'Close', 'A-17'],
    [admin.noTransactions, 'No transactions found', 'A-23'],
    [admin.loadingTransactions, 'Loading transactions...', 'A-24'],
    [admin.transactionsFooter, 'Page {page} of {pages} ({n} total transactions)', 'A-25'],
    [app.previous, 'Previous', 'A-35'],
    [app.next, 'Next', 'A-35'],
    [admin.noId, 'No ID uploaded', 'A-40'],
  ],
};

const rules: readonly Row[] = [
  [register.missing, 'Please fill in all required fields: {list}', 'V-01'],
  [register.email, 'Please enter a valid email address', 'V-03'],
  [register.phone, 'Please enter a valid 10-digit phone number', 'V-04'],
  [register.password, 'Password must be at least 6 digits long and contain only numbers', 'V-05'],
  [register.gender, 'Gender must be either male or female', 'V-06'],
  [register.avatar, 'Please upload a profile image', 'V-07'],
  [transfer.invalidAmount, 'Please enter a valid amount', 'V-12'],
  [transfer.insufficientBalance, 'Insufficient balance', 'V-13'],
  [transfer.accountNotFound, 'Account not found', 'V-16'],
  [settings.passwordMismatch, 'Passwords do not match', 'V-17'],
];

const failures: readonly Row[] = [
  [
    register.timeout,
    'Upload taking too long. Please try with a smaller image or check your connection.',
    'ER-01',
  ],
  [register.failed, 'Registration failed. Please try again.', 'ER-02'],
  [register.network, 'Network error. Please check your connection and try again.', 'ER-03'],
  [auth.loginFailedTitle, 'Login failed', 'ER-04'],
  [auth.loginFailed, 'Login failed. Please try again.', 'ER-04'],
  [auth.verifyFailed, 'OTP verification failed', 'ER-05'],
  [auth.resendWait, '{message} Wait {waitTime} seconds.', 'ER-06'],
  [auth.resendFailed, 'Failed to resend OTP', 'ER-07'],
  [auth.noToken, 'No token found', 'ER-08'],
  [auth.profileFailed, 'Failed to fetch profile', 'ER-09'],
  [auth.profileFault, 'An error occurred while fetching profile', 'ER-09'],
  [transactions.balanceFailed, 'Error fetching wallet balance', 'ER-10'],
  [transfer.fallback, 'An error occurred during the transfer kindly contact customer care.', 'ER-11'],
  [admin.creditFailed, 'Failed to process credit', 'ER-14'],
  [admin.deleteFailed, 'Failed to delete user', 'ER-15'],
  [admin.freezeFailed, 'Failed to update account status', 'ER-16'],
];

const successes: readonly Row[] = [
  [auth.loginDone, 'Login successful! Redirecting to dashboard...', 'OK-01'],
  [auth.codeSent, 'OTP sent to your email. Please check and verify.', 'OK-02'],
  [auth.codeResent, 'New OTP sent to your email', 'OK-03'],
  [register.doneLogin, 'Registration successful! Please login to continue.', 'G-10'],
  [register.done, 'Registration successful! Your account will be approved within 24-48 hours.', 'G-09'],
  [transfer.sentApi, 'Transfer successful', 'OK-04'],
  [transfer.externalApi, 'External transfer initiated successfully', 'OK-05'],
  [transfer.successfulText, 'Your transfer has been completed successfully.', 'T-20'],
  [
    transfer.initiatedText,
    'Your external transfer has been initiated. Please note that it may take 3-7 business days to complete the transfer to an external bank account.',
    'T-22',
  ],
  [settings.passwordUpdated, 'Password updated successfully', 'OK-06'],
  [settings.contactUpdated, 'Contact information updated successfully', 'OK-07'],
  [settings.accountDeleted, 'Account deleted successfully', 'OK-08'],
  [settings.imageUploaded, 'Image uploaded successfully', 'OK-09'],
  [admin.deleted, 'User has been successfully deleted', 'OK-11'],
  [admin.frozen, 'User account frozen successfully', 'OK-12'],
  [admin.unfrozen, 'User account unfrozen successfully', 'OK-13'],
  [contact.sent, 'Message sent successfully!', 'H-23'],
];

const decisions: readonly Row[] = [
  [errors.notAuthorized, 'Not authorized', 'C-24'],
  [errors.tokenExpired, 'Token expired', 'C-25'],
  [auth.badCredentials, 'Invalid email or password', 'C-26'],
  [auth.badCode, 'Invalid or expired code', 'C-27'],
  [register.emailTaken, 'An account with this email already exists', 'C-33'],
  [settings.balanceNotZero, 'Balance must be zero before you delete your account', 'C-34'],
  [settings.wrongCurrentPassword, 'Current password is incorrect', 'C-83'],
  [settings.wrongPassword, 'Password is incorrect', 'C-84'],
  [
    settings.pendingTransactions,
    'Pending transactions must be completed before you delete your account',
    'C-87',
  ],
  [errors.accountFrozen, 'Your account is frozen. Please contact customer service.', 'ER-12'],
  [auth.forgotAnswer, 'If this email has an account, a code is on its way.', 'F-05'],
  [auth.resetDone, 'Password updated successfully. Please login to continue.', 'F-06'],
  [transactions.closedAccount, 'Closed account', 'AC-19'],
];

function checkTexts(list: readonly Row[]): void {
  for (const [actual, required, rows] of list) {
    test(`a person reads "${required}" [${rows}]`, () => {
      expect(actual).toBe(required);
    });
  }
}

describe('the texts of the screens, chapter 2 [R-38, R-39]', () => {
  for (const [screen, list] of Object.entries(screens)) describe(screen, () => checkTexts(list));
});
describe('the messages for broken rules, chapter 5', () => checkTexts(rules));
describe('the messages for failures, chapter 8', () => checkTexts(failures));
describe('the messages for successes, chapter 8', () => checkTexts(successes));
describe("the texts of the product's decisions", () => checkTexts(decisions));

/** Every text of a message file, with its place. */
function sentencesOf(branch: unknown, place: string): [place: string, sentence: string][] {
  if (typeof branch === 'string') return [[place, branch]];
  return Object.entries(branch as object).flatMap(([key, inner]) => sentencesOf(inner, `${place}.${key}`));
}
const messageFiles = globSync('messages/*.ts', { cwd: import.meta.dirname });
const everySentence = (
  await Promise.all(messageFiles.map(async file => sentencesOf(await import(`./${file}`), file)))
).flat();
/** The texts that are empty, padded, or spelled as in the older software. */
const faultyAmong = (sentences: typeof everySentence) =>
  sentences.filter(
    ([, sentence]) =>
      sentence === '' || sentence.trim() !== sentence || /Transfer Cancelled|Occured/.test(sentence),
  );

describe('sentences', () => {
  test('the message about a credit has a dollar sign, not a currency code [OK-10]', () => {
    expect(fill(admin.credited, { amount: formatCents(25_000n), accountNumber: '482109375527' })).toBe(
      'Successfully credited $250.00 to account 482109375527',
    );
  });

  test('a customer who requests codes too often reads how long to wait [ER-06]', () => {
    expect(
      fill(auth.resendWait, { message: 'Too many attempts. Please try again later.', waitTime: 31 }),
    ).toBe('Too many attempts. Please try again later. Wait 31 seconds.');
  });

  test('a customer under review reads that approval usually takes 24-48 hours [D-05]', () => {
    for (const text of [auth.pendingText, dashboard.pendingText]) {
      expect(text).toContain('under review');
      expect(text).toContain('wait for admin approval, usually 24-48 hours');
    }
  });

  test('a customer whose transfer is late reads that there will be no second charge [T-27]', () => {
    expect(transfer.processingText).toContain('won’t be charged twice');
  });

  test("no message is empty or padded, or says 'Transfer Cancelled' or 'Occured', as the older software did [T-23]", () => {
    const sample = { kept: 'Sent', titles: { empty: '', padded: 'Sent ', former: 'Error Occured' } };
    expect(faultyAmong(sentencesOf(sample, 'x')).map(([place]) => place)).toEqual([
      'x.titles.empty',
      'x.titles.padded',
      'x.titles.former',
    ]);
    expect(everySentence.length).toBeGreaterThan(700);
    expect(faultyAmong(everySentence)).toEqual([]);
  });
});

describe('filling a sentence', () => {
  test('every placeholder is replaced at each place it appears', () => {
    expect(fill('{a} and {b} and {a}', { a: 1, b: 'two' })).toBe('1 and two and 1');
  });

  test('a placeholder without a value stays visible', () => {
    expect(fill(transactions.fromParty, {})).toBe('From: {name}');
  });

  test('a name that looks like a placeholder or a pattern is inserted as is', () => {
    expect(fill(transactions.toExternalParty, { name: '{accountNumber} $&', accountNumber: 'AB12' })).toBe(
      'To: {accountNumber} $& (AB12)',
    );
  });
});
