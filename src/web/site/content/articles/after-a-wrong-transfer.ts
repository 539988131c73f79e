/** Article: what to do after a transfer to the wrong account. */
import { bank } from '#contract/constants.ts';
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'You pressed Send Money, and a second later you saw it: the wrong person, or one zero too many. It happens to careful people, usually when they are tired. What you do in the next few minutes matters more than how it happened. The first rule is not to send anything else.',
    ],
  },
  {
    heading: 'Find out where the money is',
    paragraphs: [
      'Open Transactions and read the status of the transfer. It puts you in one of three situations.',
    ],
    table: {
      caption: 'What the status means for you',
      head: ['Status', 'Where the money is', 'What to do'],
      rows: [
        ['Completed', 'With the person who received it', 'Write to us right away'],
        ['Pending, to another bank', 'In clearing, waiting or on its way', 'Cancel it if you still can'],
        ['Failed', 'Back in your account', 'Nothing; check the number'],
      ],
    },
  },
  {
    heading: 'Three facts to have ready',
    paragraphs: ['A message with these three facts saves a day of questions.'],
    points: [
      'The reference number of the transfer. Open the transfer and copy it from there.',
      'The account number you meant to use, if there was one. Compare the two numbers digit by digit; the difference often explains what went wrong.',
      'Why you sent it: by mistake, or because another person talked you into it. If you were talked into it, say so, and say when. That is a different kind of case, and a more urgent one.',
    ],
  },
  {
    heading: 'What we can and can’t do',
    paragraphs: [
      'We can’t take money out of another person’s account just because you ask. You wouldn’t want a bank that could. A transfer inside Larkspur is final when it is made. What we can do is write to the person who received it, explain what happened, and ask for it back. Most people say yes.',
      'We send a transfer to the other bank at 5:00 PM New York time on a business day. Until then you can cancel it: open it under Transactions and press Cancel payment. After that it is on its way. If the account number doesn’t exist, the full amount is returned to your account and we notify you. If it belongs to another person, we ask the other bank, and the other bank asks them.',
      `If you were deceived, or didn’t make the transfer at all, freeze your account first: under Settings, Security, or with the link at the end of our emails about a new login or a change to your account. Then change your password and call us at ${bank.phone}. After that, report it to the police and, in the United States, to the Federal Trade Commission. A report number helps every bank involved.`,
    ],
  },
  {
    heading: 'Next time',
    paragraphs: [
      'For a Larkspur account, the form shows the account holder’s name before you send. Read it aloud. For another bank it can’t, so send one dollar first and ask whether it arrived. Sending costs $0.00, so the test costs you nothing.',
    ],
    keep: 'Don’t send a second transfer to fix the first.',
  },
];
