/** Texts of the loan history. */
export const title = 'Loan History';
export const apply = 'Apply for Loan';
export const totalBorrowed = 'Total Borrowed';
export const activeLoans = 'Active Loans';
export const nextPaymentDue = 'Next Payment Due';
export const makePayment = 'Make Payment';
export const viewDetails = 'View Details';
export const none = 'No loan history found';
export const schedule = 'Payment schedule';
