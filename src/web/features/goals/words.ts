/** The texts of savings goals. */
import type { GoalMovement, GoalPicture } from '#contract/goals.ts';

export const words = {
  title: 'Savings goals',
  intro: 'Set money aside inside your account. You can move it back at any time.',
  saved: '{amount} in your goals.',
  savedHidden: 'Amounts hidden',
  add: 'Add a goal',
  frozen:
    'While your account is frozen, you can’t change your goals or move their money, and we skip automatic saving.',
  loading: 'Loading savings goals...',
  failed: 'We couldn’t load your savings goals. Your money is not affected.',
  none: 'What are you saving for?',
  noneText: 'Name a goal, set money aside for it, and watch it grow.',

  addition: {
    unknown:
      'We don’t know whether your goal was added. Press the button again: the same goal is added only once.',
    mismatch:
      'We had already received this form before you changed it. Close it and check the list before you add another goal.',
  },
  progress: '{saved} of {target}',
  progressHidden: 'Progress',
  reached: 'You reached your goal.',
  reachedRule: 'We stopped saving for it. If you take money out or raise the target, we continue.',
  by: 'by {day}',
  needed: '{amount} a month until {day} gets you there.',
  rule: '{amount} {rule}',
  late: 'At this pace, you’ll reach your goal on {day}, later than your date, {wish}.',
  tooSlow: 'At this pace, you won’t reach your goal by {day}.',
  retries: 'Your balance was too small on {day}. We’ll try again at {time}.',
  ruleHidden: 'Saves {rule}',
  ruleAndNext: '{rule}, next on {day}',
  roundUp: 'Rounds up your transfers',
  leftOut: 'Nothing was moved on {day}: your balance was too small, or your account was frozen.',
  actionsOf: 'Actions for {name}',
  moveIn: 'Add money',
  moveOut: 'Take money out',
  change: 'Change',
  remove: 'Delete',
  askRemove: 'Delete this goal? Its {amount} returns to your balance.',
  askRemoveHidden: 'Delete this goal? Its money returns to your balance.',
  askRemoveEmpty: 'Delete this goal?',
  removeNow: 'Delete',
  working: 'Saving...',
  notChanged: 'Nothing was changed. Try again.',

  history: 'Activity',
  historyLoading: 'Loading activity...',
  historyFailed: 'We couldn’t load the activity. Your money is not affected.',
  historyNone: 'No money has moved yet.',
  more: 'Show older',

  addTitle: 'Add a savings goal',
  changeTitle: 'Change savings goal',
  name: 'What for',
  picture: 'Picture',
  target: 'Target',
  targetDate: 'By when',
  automatic: 'Save automatically',
  noRule: 'No',
  ruleAmount: 'Amount',
  ruleStart: 'First date',
  ruleNext: 'Next date',
  roundUpChoice: 'Round up transfers',
  roundUpHint:
    'We round up each transfer you send to the next dollar. Once a day, we move the difference into this goal.',
  on: 'On',
  off: 'Off',
  save: 'Save',

  moveInTitle: 'Add money to {name}',
  moveOutTitle: 'Take money out of {name}',
  amount: 'Amount',
  available: '{amount} available',
  inGoal: '{amount} in this goal',
  quick: 'Amounts',
  all: 'All of it',
  tooMuch: 'You have only {amount} available.',
  tooMuchOut: 'There is only {amount} in this goal.',
  tooMuchHidden: 'This amount is too large.',
  moving: 'Moving...',
  unknown: 'We don’t know whether {amount} was moved. Press the button again: it is moved only once.',
  unknownOther: 'We don’t know whether {amount} was moved. If it was, the new amount won’t be moved.',
  received:
    'You already sent this form with {amount}. Press the button again: if the money wasn’t moved then, we move it now. It is moved only once.',
  otherReceived:
    'You already sent this form with {amount}, so the new amount wasn’t moved. Close the form and check the goal before you move more.',
  or: ' or ',
  gone: 'This goal was deleted. Any money in it is back in your balance.',
  notMoved: 'No money was moved. Try again.',
} as const;

export const pictureNames: Record<GoalPicture, string> = {
  home: 'House',
  car: 'Car',
  trip: 'Sailboat',
  school: 'Book',
  gift: 'Gift',
  umbrella: 'Umbrella',
  plant: 'Plant',
  star: 'Star',
};

/** The name of a movement by its cause. For the cause `customer`, `directionNames` has the name by direction. */
export const causeNames: Record<Exclude<GoalMovement['cause'], 'customer'>, string> = {
  rule: 'Added by your rule',
  'round-up': 'Rounded up',
  closing: 'Goal deleted',
};
export const directionNames: Record<GoalMovement['direction'], string> = {
  in: 'Added by you',
  out: 'Taken out by you',
};
