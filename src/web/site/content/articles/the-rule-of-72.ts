/** Article (research): the rule of 72 compared with exact doubling times, ln 2 / ln(1 + r). */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'There is an old rule for the back of an envelope: divide 72 by the rate of interest, and you have the years in which a sum doubles. At 6 percent, twelve years. It was already printed in Venice in 1494, in Luca Pacioli’s book on arithmetic, the same book that taught Europe double-entry bookkeeping. We wondered how good it is, and worked it out.',
    ],
    table: {
      caption: 'Years until a sum has doubled, interest added once a year',
      head: ['Rate', 'By the rule', 'Exactly', 'The rule is off by'],
      rows: [
        ['1%', '72.0', '69.7', '+2.3'],
        ['2%', '36.0', '35.0', '+1.0'],
        ['3%', '24.0', '23.4', '+0.6'],
        ['4%', '18.0', '17.7', '+0.3'],
        ['6%', '12.0', '11.9', '+0.1'],
        ['8%', '9.0', '9.0', '0.0'],
        ['10%', '7.2', '7.3', '−0.1'],
        ['12%', '6.0', '6.1', '−0.1'],
        ['18%', '4.0', '4.2', '−0.2'],
        ['24%', '3.0', '3.2', '−0.2'],
      ],
    },
  },
  {
    heading: 'Why 72',
    paragraphs: [
      'Exact mathematics would want 69.3, the natural logarithm of two times a hundred, if interest were added at every instant. Interest that is added once a year works a little more slowly, and the number that repairs this best around 8 percent is 72. It has a second virtue: it can be divided by 2, 3, 4, 6, 8, 9 and 12 without a remainder, which is what one wants of a number for envelopes.',
      'Below 3 percent, divide 70 instead and you are closer. Above 20 percent the rule flatters you by a few months. In between nobody who rounds to years will ever notice.',
    ],
  },
  {
    heading: 'What it is good for',
    paragraphs: ['The rule is most useful when it is pointed at something other than savings.'],
    points: [
      'At prices. At 3 percent inflation they double in about 24 years: twice between a first job and a pension.',
      'At debt. A balance on a card at 24 percent doubles in a little over three years if nothing is paid.',
      'At fees. Somebody who takes 1 percent a year from a sum that earns 6 turns twelve years of doubling into more than fourteen.',
      'At promises. If somebody says that your money will double in a year, they are promising 72 percent by the rule and 100 percent in truth. Either figure is a reason to leave.',
    ],
  },
  {
    paragraphs: [
      'We like the rule because it was made by people who kept books by hand and wanted to see quickly whether a figure could be right. That is still the best use of a rule of thumb: it does not replace the calculation, it catches the one with a digit in the wrong place.',
    ],
    keep: '72 divided by the rate: use it to check every promise, above all the pleasant ones.',
  },
];
