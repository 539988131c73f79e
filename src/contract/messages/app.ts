/** Words that every part of the web app shares. */
export const imageLimits = 'JPEG, PNG or WebP, up to 10\u00a0MB';
export const pleaseWait = 'Please wait';
export const close = 'Close';
export const cancel = 'Cancel';
export const back = 'Back';
export const tryAgain = 'Try again';
export const dismiss = 'Dismiss';
export const optional = 'optional';
export const fillIn = 'Please fill in this field';
export const copied = 'Account number copied';
export const copyFailed = 'The browser did not allow copying. Please select the number and copy it.';
export const referenceCopied = 'Reference copied';
export const referenceCopyFailed =
  'The browser did not allow copying. Please select the reference and copy it.';
export const previous = 'Previous';
export const next = 'Next';
export const pageOf = 'Page {page} of {pages}';
export const pages = 'Pages';
export const goToPage = 'Go to page';
export const page = 'Page';
export const go = 'Go';
export const showAsTable = 'Show as a table';
export const toasts = 'Messages, Alt+T';
export const appearance = { label: 'Appearance', system: 'System', light: 'Light', dark: 'Dark' };
export const notFoundTitle = 'Page Not Found';
export const notFoundText =
  'The page you are looking for might have been removed or is temporarily unavailable.';
export const backToHome = 'Back to Home';
export const sessionEnded = 'Your session has ended. Please log in again.';
export const loggedOut = 'You were logged out.';
export const loggedOutSending = `${loggedOut} Log in to check your transfer.`;
export const applicantSessionEnded = `${sessionEnded} If you can’t, check your email. We may have answered your application.`;
export const idleTitle = 'Are you still there?';
export const idleText =
  'You’ve been inactive for {minutes} minutes. To keep your account safe, we’ll log you out soon. Anything that you haven’t saved or sent will be lost.';
export const idleLeft = 'Logging out in';
export const idleStay = 'Stay logged in';
export const expiryTitle = 'Your session ends soon';
export const expiryText =
  'To keep your account safe, a session lasts {minutes} minutes at most. Save or send what you have typed before it ends, then log in again. Anything that you haven’t saved or sent will be lost.';
export const expiryContinue = 'Continue';
