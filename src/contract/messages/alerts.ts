/** Texts of the staff's alert queue. */
export const alerts = 'Alerts';
export const assigned = 'The alert is assigned to you.';
export const closed = 'Alert closed';
export const gone = 'This alert does not exist.';
export const closedBefore = 'This alert was already closed.';
export const rules = {
  'new-login': 'Login from a new device or network',
  'large-first-payment': 'Most of the balance to a new receiver',
  'many-payments': 'Many payments in a short time',
  'guessed-logins': 'Many wrong passwords from one network',
} as const;
export const states = { open: 'Open', assigned: 'Assigned', closed: 'Closed' } as const;
