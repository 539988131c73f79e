/** Article: compound growth by starting age. Figures: $100 at the end of each month, 4% a year compounded monthly, until 65. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Three people save $100 at the end of every month and stop at 65. The first starts at 25, the second at 35, the third at 45. Each of them earns 4 percent a year, credited monthly. We chose that rate because it is modest and easy to check. None of them is clever or lucky, and none of them misses a month.',
    ],
    table: {
      caption: '$100 a month at 4% a year, until 65',
      head: ['Started at', 'Paid in', 'Growth', 'Total'],
      rows: [
        ['25', '$48,000.00', '$70,196.13', '$118,196.13'],
        ['35', '$36,000.00', '$33,404.94', '$69,404.94'],
        ['45', '$24,000.00', '$12,677.46', '$36,677.46'],
      ],
    },
  },
  {
    paragraphs: [
      'Look at the growth column. The first person paid in twice as much as the third and has more than five times the growth. The difference isn’t effort. The dollars of the early years simply had decades more in which their interest could earn interest.',
    ],
  },
  {
    heading: 'The cost of waiting',
    paragraphs: [
      'What would it take to catch up? To reach the first person’s total, the second would have to save about $170 every month, and the third about $322. That is what waiting costs, as a monthly bill.',
      'It works in the other direction, too. A 25-year-old who saves only $50 a month still ends up with $59,098, not far from what the 35-year-old gets with $100. Starting early makes up for starting small.',
    ],
  },
  {
    heading: 'What the table leaves out',
    paragraphs: ['Three things, and they matter.'],
    points: [
      'Prices rise. At 2.5 percent inflation, a dollar in 40 years buys what 37 cents buys today, so the first person’s $118,196 feels like about $44,000. The three still finish in the same order.',
      'Nothing pays 4 percent every year for 40 years. Savings accounts have paid much less for long stretches. Stocks have paid more on average and much less in some years.',
      'Debt comes first. A card at 24 percent costs six times what savings at 4 percent earn. Pay it off, and call that your first investment.',
    ],
  },
  {
    paragraphs: [
      'One more thing that no table shows: after you have saved $100 a month for a year, you know that you can do it, and month 13 is easier than month one.',
    ],
    keep: 'You can’t choose the rate. You can choose the month in which you start.',
  },
];
