/** Texts of savings goals. */
export const goals = 'Savings goals';
export const added = 'Savings goal added';
export const changed = 'Savings goal saved';
export const removed = 'Savings goal deleted. Its money is in your account.';
export const moved = 'Money moved';
export const movements = 'Money in and out of a savings goal';
export const name = 'Give the goal a name';
export const picture = 'Please choose a picture';
export const targetDate = 'Choose a day after today';
export const ruleStart = 'Choose today or a later day';
export const frequency = 'Please choose weekly, biweekly or monthly';
export const direction = 'Please choose in or out';
export const tooMany = 'You can have up to {max} savings goals. Delete one to add another.';
export const goalTooSmall = 'There isn’t that much in this goal';
export const toGoal = 'To savings goal';
export const fromGoal = 'From savings goal';
