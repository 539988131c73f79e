/** Article: what to do after a transfer to the wrong account. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'You pressed Send Money, and in the same second you saw it: the wrong person, or a zero too many. It happens to careful people, usually when they are tired. What you do in the next minutes matters more than how it happened, and the first thing is not to send anything else.',
    ],
  },
  {
    heading: 'Look where the money is',
    paragraphs: [
      'Open Transactions and read the status of the row. It tells you which of three situations you are in.',
    ],
    table: {
      caption: 'What the status means for you',
      head: ['Status', 'Where the money is', 'What to do'],
      rows: [
        ['Completed, to Larkspur', 'With the other customer', 'Write to us at once'],
        ['Pending, to another bank', 'In clearing, on its way', 'Write to us at once'],
        ['Failed', 'Back in your balance', 'Nothing; check the number'],
      ],
    },
  },
  {
    heading: 'Three facts to have at hand',
    paragraphs: ['A message with these three saves a day of questions.'],
    points: [
      'The reference number of the transfer. It stands in its row and can be copied.',
      'The account number you meant, if there was another one. Compare the two digit by digit; seeing the difference often explains everything.',
      'Why you sent it: a mistake of yours, or somebody’s words. If somebody talked you into it, say so, and say when. That is a different kind of case, and a more urgent one.',
    ],
  },
  {
    heading: 'What we can do, and what we cannot',
    paragraphs: [
      'We cannot take money out of another person’s account because you ask. You would not want a bank that could. A transfer inside Larkspur is final when it is made. What we can do is write to the person who received it, tell them what happened, and ask for it back; most people say yes.',
      'A transfer to another bank is under way from the moment you press. If the account number belongs to nobody, it comes back by itself, in full, and you are told. If it belongs to somebody, we ask the other bank, and the other bank asks them.',
      'If you were deceived, change your password first, write to us second, and then report it to the police and, in the United States, to the Federal Trade Commission. A report number helps every bank along the way.',
    ],
  },
  {
    heading: 'Next time',
    paragraphs: [
      'For an account here, the form shows the holder’s name before you send. Read it aloud. For another bank it cannot, so send a dollar first and ask whether it arrived. A dollar is a cheap question, and sending it costs $0.00.',
    ],
    keep: 'Do not send a second transfer to repair the first.',
  },
];
