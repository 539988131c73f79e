/** Texts of the notification settings. */
export const preferences = 'Notifications';
