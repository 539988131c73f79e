/** Texts of sanctions screening. */
export const screening = 'Screening';
export const decided = 'Decision saved';
export const undecided =
  'This applicant may be on the sanctions list. Decide the match first. Nothing was approved.';
export const confirmed =
  'This applicant is a confirmed match on the sanctions list, so the account can’t be approved. Reject the application.';
export const decidedBefore = 'This match was already decided.';
export const birthChanged =
  'The customer’s date of birth has changed since you opened this match. Nothing was decided. Compare the new date first.';
export const outdated = 'The list or the name has changed, so there is nothing to decide here anymore.';
export const openBefore = 'This match is already open.';
export const states = {
  open: 'To be decided',
  match: 'True match',
  'no-match': 'Not a match',
  outdated: 'Outdated',
} as const;
