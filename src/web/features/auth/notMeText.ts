/** The texts of the page that removes a registration. Not in `authTexts.ts`, which the login and registration load. */
import { bank } from '#contract/constants.ts';
import * as removalMessages from '#contract/messages/removal.ts';

export const notMeText = {
  title: 'Remove this registration?',
  refusedTitle: 'Remove a registration',
  lead: `If you didn’t register at ${bank.name}, another person used your email address. ${removalMessages.removable} If you registered yourself, there is nothing to do.`,
  press: 'Remove the registration',
  doneTitle: 'Registration removed',
  failedTitle: 'Nothing was removed',
  unknownTitle: 'We don’t know yet whether the registration was removed',
  earlierTitle: 'Your earlier press may have removed the registration',
  quote: 'Your email is yours.',
  promise: 'Anyone can type any email address, so we ask its owner.',
  wasMe: 'Was it you?',
} as const;
