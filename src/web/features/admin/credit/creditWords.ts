/** What an administrator reads about a credit beside the sentences of `words.ts`. */
import * as appMessages from '#contract/messages/app.ts';

export const creditWords = {
  sessionEnded: `${appMessages.sessionEnded} The credit was not made.`,
  reversed: 'This credit was reversed',
  reversedText: '{amount} was credited to account {accountNumber}, but the credit was reversed afterward.',
} as const;
