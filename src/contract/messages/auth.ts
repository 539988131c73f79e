/** Texts of login, codes, sessions and password reset. */
export const badCredentials = 'Invalid email or password';
export const badCode = 'Invalid or expired code';
export const codeSent = 'OTP sent to your email. Please check and verify.';
export const codeResent = 'New OTP sent to your email';
export const resend = 'Resend OTP';
export const resendIn = 'Resend OTP in {n}s';
export const loginDone = 'Login successful! Redirecting to dashboard...';
export const loginDoneApi = 'Login successful';
export const login = 'Login';
export const verifyOtp = 'Verify OTP';
export const loginFailedTitle = 'Login failed';
export const loginFailed = 'Login failed. Please try again.';
export const verifyFailed = 'OTP verification failed';
export const resendFailed = 'Failed to resend OTP';
export const resendWait = '{message} Wait {waitTime} seconds.';
export const codeTooSoon = 'Please wait before you request another code.';
export const codeTooMany = 'Too many codes were requested for this account.';
export const forgotLink = 'Forgot your password?';
export const pendingTitle = 'Account Pending';
export const pendingText =
  'Your account is under review. Please wait for admin approval, usually 24-48 hours.';
export const easyToGuess = 'This password is easy to guess. A longer mix of digits is safer.';
export const clear = 'CLR';
export const deleteLast = 'DEL';
export const loggedOut = 'You are logged out';
export const activity = 'Session kept alive';
export const profile = 'Profile';
export const noToken = 'No token found';
export const profileFailed = 'Failed to fetch profile';
// Shown for failures that have no message of their own. API refusals and network errors have one.
export const profileFault = 'An error occurred while fetching profile';
export const forgotAnswer = 'If this email has an account, a code is on its way.';
export const resetDone = 'Password updated successfully. Please login to continue.';
