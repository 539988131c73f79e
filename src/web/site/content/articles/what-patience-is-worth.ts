/** Article: compound growth by starting age. Figures: $100 at the end of each month, 4 % a year compounded monthly, until 65. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Three people put aside $100 at the end of every month and stop at sixty-five. The first begins at twenty-five, the second at thirty-five, the third at forty-five. Each earns 4 percent a year, credited monthly, a rate chosen because it is modest and easy to check. Nobody is clever, nobody is lucky, and nobody misses a month.',
    ],
    table: {
      caption: '$100 a month at 4% a year, until 65',
      head: ['Began at', 'Put in', 'Growth', 'In the end'],
      rows: [
        ['25', '$48,000.00', '$70,196.13', '$118,196.13'],
        ['35', '$36,000.00', '$33,404.94', '$69,404.94'],
        ['45', '$24,000.00', '$12,677.46', '$36,677.46'],
      ],
    },
  },
  {
    paragraphs: [
      'Read the middle column. The first person put in twice as much as the third and had more than five times the growth. The difference is not effort. It is that the dollars of the first ten years had thirty more years in which their interest earned interest of its own.',
    ],
  },
  {
    heading: 'The price of ten years',
    paragraphs: [
      'What would it cost to catch up? To reach the first person’s sum, the second would have to put aside about $170 every month, and the third about $322. That is what waiting costs when it is written as a monthly bill.',
      'It also works in the other direction. Somebody of twenty-five who manages $50 and not $100 still ends with $59,098, most of the way to what thirty-five and $100 come to. Small and early stands its ground against large and late.',
    ],
  },
  {
    heading: 'What the table leaves out',
    paragraphs: ['Three things, and they matter.'],
    points: [
      'Prices rise. At 2.5 percent inflation a dollar in forty years buys what 37 cents buy today, so that the $118,196 feel like about $44,000. The order of the three lines stays the same.',
      'Nothing pays 4 percent every year for forty years. Savings have paid much less for long stretches; shares have paid more on average and much less in some years.',
      'Debt comes first. A card that takes 24 percent undoes six times what 4 percent bring. Pay it off, and call that your first investment.',
    ],
  },
  {
    paragraphs: [
      'There is one more thing that no table shows. Whoever has put aside $100 for a year knows that it can be done, and month thirteen is easier than month one.',
    ],
    keep: 'You cannot choose the rate or the weather. You can choose the month in which you begin.',
  },
];
