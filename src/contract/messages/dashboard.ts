/** Texts of the customer’s overview. */
export const welcome = 'Welcome, {firstName}';
export const verified = 'Verified';
export const pendingTag = 'Pending Approval';
export const pendingTitle = 'Account Pending Approval';
export const pendingText =
  'Your account is under review. Please wait for admin approval, usually 24-48 hours.';
export const balance = 'Available balance';
export const accountNumber = 'Account number';
export const totalSent = 'Total Sent';
export const totalReceived = 'Total Received';
export const totalTransactions = 'Total Transactions';
export const recentTitle = 'Recent transactions';
export const noRecent = 'No recent transactions found';
export const loadingTransactions = 'Loading transactions...';
