/** Article: why one card, paid in full, is enough. Figures: $1,200 at 24 % a year. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'People ask at the Help Desk how many cards they should have. The answer is dull: one, if you use it in the way that costs nothing and pay it in the way that leaves nothing. The second card solves a problem that most people do not have, and the fourth makes one.',
    ],
  },
  {
    heading: 'What a lender sees',
    paragraphs: [
      'A credit record is mostly a list of promises and whether they were kept. In the most widely used scores, paying on time weighs about a third, and how much of your limits you are using weighs nearly as much. The age of your oldest accounts counts too; the number of cards hardly does.',
      'So a single card with a limit of $3,000, on which a few hundred dollars are spent each month and paid in full, says everything that is worth saying. It says it again every month, and it grows older while it does.',
      'Watch one thing: the share in use is normally read on the statement day. If you buy something large in a month in which you also mean to ask for a mortgage, pay a part of it before the statement is made.',
    ],
  },
  {
    heading: 'What a carried balance costs',
    paragraphs: [
      'Now the other way of using a card. Somebody owes $1,200 at 24 percent a year, buys nothing more, and pays only the minimum: one percent of the debt plus the interest, but no less than $25. The table shows what becomes of it.',
    ],
    table: {
      caption: 'Paying off $1,200 at 24% a year',
      head: ['Payment', 'Takes', 'Interest'],
      rows: [
        ['The minimum', '92 months', '$1,287.00'],
        ['$110 a month', '13 months', '$167.50'],
      ],
    },
  },
  {
    paragraphs: [
      'The first line is seven years and eight months, and the interest is larger than the debt was. The second line hurts for a year. Nothing separates them but the size of the payment.',
    ],
  },
  {
    heading: 'If there are already four',
    paragraphs: [
      'Do not close them all on one afternoon; closing an old card shortens your record and shrinks your limits. Pay the dearest one first and the minimum on the others, put the cards you do not need into a drawer, and keep the oldest one alive with one small purchase a year.',
    ],
    keep: 'One card, one due day, paid in full by itself: that is the whole art.',
  },
];
