/** Texts of savings goals. */
export const goals = 'Savings goals';
export const targetDate = 'Choose a day after today';
export const ruleStart = 'Choose today or a later day';
export const tooMany = 'You can have up to {max} savings goals. Delete one to add another.';
export const gone = 'This savings goal no longer exists.';
export const goalTooSmall = 'There isn’t that much in this goal';
export const toGoal = 'To savings goal';
export const fromGoal = 'From savings goal';
