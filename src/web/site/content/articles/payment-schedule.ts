/** Article: how to read the payment schedule of a loan. Figures: $10,000 at 10.5%, 24 equal monthly payments. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'A loan with equal payments looks simple: you pay the same amount every month until it is over. What changes is inside the payment. Each one has two parts, the interest for the past month and a piece of the debt itself. The interest part shrinks as the debt part grows.',
      'Take $10,000 at 10.5 percent a year over 24 months. The payment is $463.76. You can check the numbers with a pencil: one month’s interest is the remaining debt, times 10.5 percent, divided by twelve.',
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
      'Look at the middle first. After half of the payments you still owe $5,261.14, more than half, because more of each early payment went to interest. The longer the loan and the higher the rate, the bigger this effect. On a 30-year mortgage you reach the halfway point of the debt long after year 15.',
      'Then add up the interest column. Here the total is $1,130.25. With any fees added, that is the price of the loan in dollars. Ask for the APR of each offer, too. It turns the interest and most fees into one yearly rate, so you can compare offers of different lengths.',
      'Last, look at the end. The final payment is usually a few cents different from the others, because every month is rounded to the cent. A schedule that ends at exactly zero was calculated; a schedule that doesn’t was estimated.',
    ],
  },
  {
    heading: 'What $50 more does',
    paragraphs: [
      'Pay $513.76 instead of $463.76, and the loan ends after 22 payments instead of 24, the last of them only $222.05. The interest falls to $1,011.01. You save $119.24 and two months, and you can stop paying extra in any month that turns out expensive.',
      'Before you do it, ask two questions. Does the lender accept extra payments without a fee? Does an extra payment reduce the debt right away? Get both answers in writing.',
    ],
    keep: 'Compare offers by their APR, and by interest and fees in dollars over the months you really plan to keep the loan.',
  },
];
