/** Article (research): how constant inflation shrinks a dollar, 1 / (1 + r)^n. Uses no figures of real years. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Inflation is reported as a percentage of a percentage, a tenth up, a tenth down, and is hard to feel. So we turned it round and asked a question with a picture in it: a dollar is put into a drawer today; how much of it is left when somebody opens the drawer? Nothing in the table is a forecast, and nothing is a record. It is arithmetic. Where prices rise by the same part every year, each year divides what the dollar buys by a little more than one, and every cell can be checked with a pencil.',
    ],
    table: {
      caption: 'What a dollar in a drawer still buys',
      head: ['Opened after', 'Prices rise 2% a year', '3% a year', '5% a year'],
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
      'At 2 percent, the pace that the Federal Reserve has named as its aim, a dollar takes 35 years to lose half of what it buys. At 3 percent it takes a little more than 23, at 5 percent a little more than 14. In no single one of those years does anything seem to happen. That is the whole difficulty of the subject: it is too slow to be news and too large to be left out.',
      'The last column is not a different story. It is the same story told quickly, and that is why it is noticed.',
    ],
  },
  {
    heading: 'What follows for a household',
    paragraphs: [],
    points: [
      'Money that is needed this year need not fear any of it. At 3 percent, $1,000 lose the worth of about $2.50 in a month. Safety and quick access are worth more than that.',
      'Money that is meant for the year in which you stop working must do something in between. Left in the drawer for forty years it buys less than half, in every column.',
      'A fixed payment grows lighter. $1,847 a month are a heavy mortgage today; after thirty years at 2 percent the same number of dollars weigh as much as $1,020 do now.',
      'A wage that stands still is a wage that falls. After three years at 3 percent it buys 8.5 percent less. Whoever negotiates every three years should know the three-year figure.',
    ],
  },
  {
    heading: 'How far to trust it',
    paragraphs: [
      'No decade keeps to one line. The figures that are published, in the United States by the Bureau of Labor Statistics, are averages over very many baskets, and nobody buys the average one: rent, medicine and college need not move with bread and television sets. So take the table as a ruler and not as a map. Look up the figure of your own years, find the column that is nearest, and read down it.',
    ],
    keep: 'Count short distances in dollars and long ones in loaves of bread.',
  },
];
