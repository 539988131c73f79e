/** Texts of how a customer is notified. */
export const preferences = 'Notifications';
