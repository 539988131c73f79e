/** Article (research): the rule of 72 compared with exact doubling times, ln 2 / ln(1 + r). */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'There is an old rule you can use on the back of an envelope: divide 72 by the interest rate, and you get the number of years in which money doubles. At 6 percent, that is 12 years. The rule was printed in Venice in 1494, in Luca Pacioli’s book on arithmetic, the same book that taught Europe double-entry bookkeeping. We wondered how good the rule is, so we checked it.',
    ],
    table: {
      caption: 'Years until money doubles, with interest added once a year',
      head: ['Rate', 'Rule', 'Exact', 'Difference'],
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
      'The exact number would be 69.3, a hundred times the natural logarithm of two, if interest were added at every instant. Interest that is added once a year works a little more slowly, and 72 corrects for that best at around 8 percent. It has another advantage: it divides evenly by 2, 3, 4, 6, 8, 9 and 12, which helps when you work on an envelope.',
      'At 3 percent or less, divide 70 instead and you get closer. Above 20 percent, the rule is too optimistic by a few months. In between, the error is too small to matter if you round to years.',
    ],
  },
  {
    heading: 'What it is good for',
    paragraphs: ['The rule is most useful for things other than savings.'],
    points: [
      'Prices: at 3 percent inflation they double in about 24 years, so roughly twice between your first job and retirement.',
      'Debt: a card balance at 24 percent doubles in about three years if you pay nothing.',
      'Fees: if your money earns 6 percent and a fee takes 1 percent a year, the money doubles in more than 14 years, not 12.',
      'Promises: if a seller says that your money will double in a year, that means a return of 72 percent by the rule, and of 100 percent in fact. Either number is a reason to walk away.',
    ],
  },
  {
    paragraphs: [
      'We like the rule because it was made by people who kept books by hand and wanted to see quickly whether a number could be right. That is still the best use of a rule of thumb: it doesn’t replace the calculation, but it catches a digit in the wrong place.',
    ],
    keep: 'Divide 72 by the rate, and check every promise, especially the pleasant ones.',
  },
];
