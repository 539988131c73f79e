/** Article: how to read the payment schedule of a loan. Figures: $10,000 at 10.5 %, 24 equal monthly payments. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'A loan with equal payments looks like the simplest thing in the world: the same sum every month until it is over. What changes is hidden inside the sum. Each payment is two payments in one envelope, interest for the month that has passed and a piece of the debt itself, and the two trade places as you go.',
      'Take $10,000 at 10.5 percent a year over 24 months. The payment is $463.76. All of it is arithmetic that you can check with a pencil: one month’s interest is the debt that is left, times 10.5 percent, divided by twelve.',
    ],
    table: {
      caption: '$10,000 at 10.5% over 24 months',
      head: ['Month', 'Interest', 'Paid off', 'Still owed'],
      rows: [
        ['1', '$87.50', '$376.26', '$9,623.74'],
        ['2', '$84.21', '$379.55', '$9,244.19'],
        ['12', '$49.66', '$414.10', '$5,261.14'],
        ['13', '$46.03', '$417.73', '$4,843.41'],
        ['23', '$8.01', '$455.75', '$459.75'],
      ],
    },
  },
  {
    heading: 'Three things to look for',
    paragraphs: [
      'Look at the middle first. After half of the payments this loan still owes $5,261.14, more than half, because the early payments were heavier with interest. The longer the loan and the higher the rate, the stronger that tilt. On a mortgage of thirty years the halfway point of the debt comes long after the halfway point of the calendar.',
      'Then look at the sum of the interest column. Here it is $1,130.25. That number, in dollars, is the price of the loan. Two offers with different rates and different lengths can be compared by it at a glance, and by nothing else on the page so well.',
      'Last, look at the end. The final payment is usually a cent or two different from the others, because every month was rounded to the cent. A schedule that ends in exactly zero has been counted; one that does not has been estimated.',
    ],
  },
  {
    heading: 'What $50 more does',
    paragraphs: [
      'Pay $513.76 instead of $463.76 and the loan ends after 22 payments instead of 24, the last of them only $222.05. The interest falls to $1,011.01. You have saved $119.24 and two months, and you could stop paying extra in any month that turned out dear.',
      'Before you do it, ask two questions: does the lender take extra payments without a charge, and do they come off the debt at once? Both answers belong in writing.',
    ],
    keep: 'Compare offers by the sum of the interest in dollars, over the months you really mean to keep the loan.',
  },
];
