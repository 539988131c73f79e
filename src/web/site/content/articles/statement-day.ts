/** Article: statement day, due day and the grace period of a credit card. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'A credit card has a month of its own. It does not begin on the first and it does not end on the thirty-first; it ends on the statement day, when everything you bought is added up and written on one page. The due day comes later, in the United States at least 21 days after the statement is sent. Between the two lies the most useful stretch of time in household money.',
    ],
  },
  {
    heading: 'One chair, two dates',
    paragraphs: [
      'Suppose the statement day is the 10th and the due day the 5th of the next month. A chair bought on 9 March is on the statement of 10 March and must be paid by 5 April: 27 days. The same chair bought on 11 March waits for the statement of 10 April and is due on 5 May: 55 days. It cost the same, and nobody charged interest in either case.',
      'That free stretch is called the grace period. It holds on one condition: the statement before was paid in full and on time.',
    ],
    table: {
      caption: 'The same purchase, two days apart',
      head: ['Bought', 'On the statement of', 'Due', 'Days without interest'],
      rows: [
        ['9 March', '10 March', '5 April', '27'],
        ['11 March', '10 April', '5 May', '55'],
      ],
    },
  },
  {
    heading: 'How the grace is lost',
    paragraphs: [
      'Leave a part of the statement unpaid and the grace period usually ends, for the old debt and for new purchases as well. Interest then runs from the day of each purchase, and it goes on until a whole statement has been paid again. This is why a card that has carried a debt for a while can show a small sum of interest on the statement after the one that was paid in full: it is what ran up between the statement and the payment.',
      'Cash drawn with a card has no grace at all with most issuers. Interest begins the same day, and there is a fee on top.',
    ],
  },
  {
    heading: 'Two habits worth having',
    paragraphs: [],
    points: [
      'Set the due day a few days after your pay arrives. Most issuers will move it if you ask.',
      'Pay the statement balance, automatically, and not the minimum. The minimum keeps you out of trouble with the issuer. Only the statement balance keeps you out of interest.',
    ],
    keep: 'Know two dates of every card you own: the day its month ends and the day its bill is due.',
  },
];
