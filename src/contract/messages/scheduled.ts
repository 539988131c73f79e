/** Texts of scheduled transfers. */
export const list = 'Scheduled transfers';
export const sent = 'Transfer sent';
export const left = 'We won’t send it for this date';
export const startDate = 'Choose today or a later day';
export const startDone = 'This date is already done. Choose a later day.';
export const endDate = 'The last day can’t be before the first';
export const tooMany = 'You can have up to {max} scheduled transfers. Delete one to add another.';
export const gone = 'This scheduled transfer no longer exists.';
export const ended = 'This scheduled transfer has ended.';
export const alreadySent = 'This date was already paid.';
export const notNext = 'This is not the next date anymore.';
export const notMissed = 'This date was already taken care of.';
