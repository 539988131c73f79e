/** Article (research): the dollar's purchasing power since 1990. Figures: CPI-U, US city average, annual averages (Bureau of Labor Statistics). */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Inflation is reported as a percentage of a percentage, a tenth up, a tenth down, and is hard to feel. So we turned it round and asked a question with a picture in it: how much of a 1990 dollar was left in later years? The figures are the consumer price index for all urban consumers, the yearly averages that the Bureau of Labor Statistics publishes for everybody to read.',
    ],
    table: {
      caption: 'What was left of a dollar of 1990',
      head: ['Year', 'Price index', 'A basket for $100 in 1990', 'A 1990 dollar buys'],
      rows: [
        ['1990', '130.7', '$100.00', '$1.00'],
        ['1995', '152.4', '$116.60', '86¢'],
        ['2000', '172.2', '$131.75', '76¢'],
        ['2005', '195.3', '$149.43', '67¢'],
        ['2010', '218.1', '$166.84', '60¢'],
        ['2015', '237.0', '$181.34', '55¢'],
        ['2020', '258.8', '$198.02', '50¢'],
        ['2023', '304.7', '$233.13', '43¢'],
      ],
    },
  },
  {
    heading: 'Half in thirty years',
    paragraphs: [
      'It took thirty years, from 1990 to 2020, for the dollar to lose half of what it bought. That is an average of about 2.3 percent a year, close to the 2 percent that the Federal Reserve has named as its aim. Most people who lived through those years would call them calm.',
      'Then came three years in which prices rose by almost 18 percent together. The last line of the table is not a different story. It is the same story told quickly, and that is why it was noticed.',
    ],
  },
  {
    heading: 'What follows for a household',
    paragraphs: [],
    points: [
      'Money that is needed this year need not fear any of it. At 2.3 percent, $1,000 lose the worth of $1.90 in a month. Safety and quick access are worth more than that.',
      'Money that is meant for 2050 must do something in between. Left in a drawer, at the pace of those calm thirty years, it will buy half.',
      'A fixed payment grows lighter. $1,847 a month in 1990 were a heavy mortgage; in 2020 the same number of dollars weighed as much as $933 had.',
      'A wage that stands still is a wage that falls. Whoever negotiates every three years should know the three-year figure.',
    ],
  },
  {
    heading: 'How far to trust it',
    paragraphs: [
      'The index is an average over very many baskets, and nobody buys the average one. Between 1990 and 2023 college, medicine and rent rose faster than the whole, and clothing, toys and televisions more slowly or not at all. Your own figure depends on which of these you buy. The method has also been improved over the years, so that comparisons across decades are good to the percent and not to the tenth.',
    ],
    keep: 'Count short distances in dollars and long ones in loaves of bread.',
  },
];
