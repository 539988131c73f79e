/** Texts of scheduled transfers. */
export const list = 'Scheduled transfers';
export const added = 'Transfer scheduled';
export const changed = 'Scheduled transfer saved';
export const removed = 'Scheduled transfer deleted';
export const skipped = 'Next date skipped';
export const sent = 'Transfer sent';
export const left = 'We won’t send it for this date';
export const startDate = 'Choose today or a later day';
export const startDone = 'This date is already done. Choose a later day.';
export const endDate = 'The last day can’t be before the first';
export const frequency = 'Please choose once, weekly, biweekly, monthly or yearly';
export const count = 'Enter how many times, from 1 to {max}';
export const tooMany = 'You can have up to {max} scheduled transfers. Delete one to add another.';
export const ended = 'This scheduled transfer has ended.';
export const alreadySent = 'This date was already paid.';
export const notMissed = 'This date was already taken care of.';
