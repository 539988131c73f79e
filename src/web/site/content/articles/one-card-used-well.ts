/** Article: why one card, paid in full, is enough. Figures: $1,200 at 24% a year. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'People ask the Help Desk how many credit cards they should have. The answer is dull: one that has no fees, paid off every month. A second card solves a problem that most people don’t have, and a fourth one creates a problem.',
    ],
  },
  {
    heading: 'What a lender sees',
    paragraphs: [
      'A credit report is mostly a list of promises and whether you kept them. In the most widely used scores, paying on time counts for about a third, and how much of your limits you use counts for nearly as much. The age of your oldest accounts matters too; the number of cards hardly does.',
      'So a single card with a limit of $3,000, with a few hundred dollars spent on it each month and paid in full, says everything a lender wants to know. It says it again every month, and your history gets longer.',
      'Watch one thing: lenders usually see the balance on the statement date. If you buy something large in a month when you also plan to apply for a mortgage, pay part of it before the statement date.',
    ],
  },
  {
    heading: 'What a carried balance costs',
    paragraphs: [
      'Now compare two ways to pay off a card. You owe $1,200 at 24 percent a year and buy nothing more. The minimum payment is one percent of the balance plus the interest, and at least $25. The table compares the minimum with a fixed payment.',
    ],
    table: {
      caption: 'Paying off $1,200 at 24% a year',
      head: ['Payment', 'Time', 'Interest'],
      rows: [
        ['The minimum', '92 months', '$1,287.00'],
        ['$110 a month', '13 months', '$167.50'],
      ],
    },
  },
  {
    paragraphs: [
      'The minimum takes seven years and eight months, and the interest is more than the debt itself. The larger payment hurts for about a year. The only difference is the size of the payment.',
    ],
  },
  {
    heading: 'If you already have four',
    paragraphs: [
      'Don’t close them all at once; closing an old card lowers your total limit and can shorten your history later. Pay off the card with the highest rate first, and pay the minimum on the others. Put the cards you don’t need in a drawer, and keep the oldest one open with one small purchase a year.',
    ],
    keep: 'One card, one due date, and automatic payment in full: that is all you need.',
  },
];
