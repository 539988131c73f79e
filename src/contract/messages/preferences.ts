/** Texts of how a customer is notified. */
export const preferences = 'Notifications';
export const changed = 'Your notification settings are saved.';
