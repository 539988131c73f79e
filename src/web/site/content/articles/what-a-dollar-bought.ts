/** Article (research): how constant inflation shrinks a dollar, 1 / (1 + r)^n. Uses no figures of real years. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Inflation is reported in tenths of a percent, which is hard to feel. So we asked a different question: you put a dollar in a drawer today; what will it buy when you open the drawer? The table is not a forecast and not a record. It is arithmetic. If prices rise by 2 percent every year, you divide the dollar by 1.02 once for each year. You can check every number with a pencil.',
    ],
    table: {
      caption: 'What a dollar in a drawer still buys, if prices rise each year by',
      head: ['Opened after', '2%', '3%', '5%'],
      rows: [
        ['5 years', '91¢', '86¢', '78¢'],
        ['10 years', '82¢', '74¢', '61¢'],
        ['20 years', '67¢', '55¢', '38¢'],
        ['30 years', '55¢', '41¢', '23¢'],
        ['40 years', '45¢', '31¢', '14¢'],
      ],
    },
  },
  {
    heading: 'How long until half',
    paragraphs: [
      'At 2 percent, the rate that the Federal Reserve aims for, a dollar takes 35 years to lose half of what it buys. At 3 percent it takes a little more than 23 years, at 5 percent a little more than 14. In any single one of those years, hardly anything seems to happen. That is what makes inflation difficult: it is too slow to notice and too large to ignore.',
      'In the last column, the same thing happens fast enough for people to notice.',
    ],
  },
  {
    heading: 'What this means for a household',
    paragraphs: [],
    points: [
      'Money you need this year has little to fear. At 3 percent, $1,000 loses about $2.50 of its value in a month. Safety and quick access are worth more than that.',
      'Money for your retirement has to earn something in the meantime. In a drawer for 40 years, it buys less than half, in every column.',
      'A fixed payment gets easier. A mortgage payment of $1,847 a month is heavy today. After 30 years at 2 percent, it feels like $1,020 does now.',
      'A salary that doesn’t rise is a salary that falls. After three years at 3 percent, it buys 8.5 percent less. If you negotiate every three years, know the three-year number.',
    ],
  },
  {
    heading: 'How far to trust it',
    paragraphs: [
      'Prices never rise at the same rate for a decade. The published numbers, in the United States from the Bureau of Labor Statistics, are averages over many shopping baskets, and yours is not the average one: rent, medicine and college don’t move with bread and television sets. So look up the rate of recent years, find the closest column, and read down.',
    ],
    keep: 'Plan the next few years in dollars. Plan the next few decades in what those dollars will buy.',
  },
];
