/** Texts of scheduled transfers. */
export const list = 'Scheduled transfers';
export const sent = 'Transfer sent';
export const left = 'We won’t send it for this date';
export const startDate = 'Choose today or a later day';
export const tooFar = 'Choose a day within the next {years} years';
export const startDone = 'This date is already done. Choose a later day.';
export const endDate = 'The last day can’t be before the first';
export const tooMany = 'You can have up to {max} scheduled transfers. Delete one to add another.';
export const gone = 'This scheduled transfer no longer exists.';
export const ended = 'This scheduled transfer has ended.';
export const alreadySent = 'This date was already paid.';
export const notNext = 'This is not the next date anymore.';
export const notMissed = 'This date was already taken care of.';

// The dates of a scheduled transfer or of a savings goal's rule.
export const ruleOnce = 'once, on {day}';
export const ruleWeekly = 'every {weekday}';
export const ruleBiweekly = 'every other {weekday}';
export const ruleMonthly = 'on the {day} of every month';
export const ruleMonthlyOrLast = 'on the {day} of every month (the last day if the month is shorter)';
export const ruleYearly = 'every {day}';
export const ruleUntil = 'until {day}';
export const ruleOneTime = 'one time';
export const ruleTimes = '{count} times';
/** The time of a retry that is not today. */
export const retryAt = '{time} on {day}';
