/** Article: statement date, due date and the grace period of a credit card. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'A credit card has its own month. It doesn’t start on the first and it doesn’t end on the last; it ends on the statement date, when everything you bought is added up. The due date comes later. In the United States it is at least 21 days after the statement is sent. If you know how the two dates work, you borrow for weeks at no cost.',
    ],
  },
  {
    heading: 'One chair, two dates',
    paragraphs: [
      'Say your statement date is the 10th and your due date is the 5th of the next month. A chair bought on Mar 9 is on the statement of Mar 10, and you pay by Apr 5: 27 days. The same chair bought on Mar 11 is on the statement of Apr 10 and is due on May 5: 55 days. The price is the same, and you pay no interest either way.',
      'This interest-free time is called the grace period. It has one condition: you paid the previous statement in full and on time.',
    ],
    table: {
      caption: 'The same purchase, two days apart',
      head: ['Bought', 'Statement', 'Due', 'Days without interest'],
      rows: [
        ['Mar\u00a09', 'Mar\u00a010', 'Apr\u00a05', '27'],
        ['Mar\u00a011', 'Apr\u00a010', 'May\u00a05', '55'],
      ],
    },
  },
  {
    heading: 'How you lose the grace period',
    paragraphs: [
      'If you leave part of a statement unpaid, the grace period usually ends, both for the old debt and for new purchases. You then pay interest from the day of each purchase until you have paid a full statement again. So even after you pay a statement in full again, the next one can have a small interest charge. It is the interest from the statement date to the day you paid.',
      'Cash advances have no grace period with most issuers. Interest starts the same day, and there is a fee on top.',
    ],
  },
  {
    heading: 'Two good habits',
    paragraphs: [],
    points: [
      'Set the due date a few days after your payday. Most issuers will move it if you ask.',
      'Pay the statement balance automatically, not the minimum. The minimum avoids late fees. Only the statement balance avoids interest.',
    ],
    keep: 'Know two dates for every card you own: the statement date and the due date.',
  },
];
