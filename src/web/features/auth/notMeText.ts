/** The texts of the page that removes a registration. Not in `authTexts.ts`, which the login and registration load. */
import { bank, registration } from '#contract/constants.ts';

export const notMeText = {
  title: 'Remove this registration?',
  lead: `If you didn’t register at ${bank.name}, another person used your email address. You can remove the registration with everything that was entered. If you registered yourself, there is nothing to do.`,
  press: 'Remove the registration',
  doneTitle: 'Registration removed',
  failedTitle: 'Nothing was removed',
  quote: 'Your email is yours.',
  promise: `Anyone can type any email address. You can remove the registration for ${registration.provenInDays} days, as long as no one has logged in to it.`,
  wasMe: 'Was it you?',
} as const;
