/** Article: fixed and adjustable mortgage rates compared. Figures: $300,000 over 30 years; payments without taxes and insurance. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Two families buy the same kind of house on the same street and borrow $300,000 each, for thirty years. One takes a fixed rate of 6.25 percent. The other takes an adjustable one: 5.5 percent for five years, and after that whatever the market says, within limits the contract sets.',
      'For five years the second family is ahead. Its payment is $1,703.37 a month, the first family’s $1,847.15. The difference of $143.78 comes to $8,626.80 over sixty months, and the debt falls a little faster too: $277,382 against $280,012. Taxes and insurance are the same for both and left out here.',
    ],
  },
  {
    heading: 'Month sixty-one',
    paragraphs: [
      'Then the second family’s rate is set anew, with twenty-five years to go. Nobody knew in advance at what. The table shows the payment for five possible worlds.',
    ],
    table: {
      caption: 'The adjustable loan from its sixth year on',
      head: ['New rate', 'Payment a month', 'Against the fixed $1,847.15'],
      rows: [
        ['5.5%', '$1,703.37', '$143.78 less'],
        ['6.25%', '$1,829.80', '$17.35 less'],
        ['7%', '$1,960.48', '$113.33 more'],
        ['7.5%', '$2,049.83', '$202.68 more'],
        ['8%', '$2,140.88', '$293.73 more'],
      ],
    },
  },
  {
    heading: 'The questions that decide it',
    paragraphs: ['The arithmetic does not choose for you, but it says what to ask.'],
    points: [
      'How long will you stay? Whoever is sure to sell within the first five years never meets month sixty-one.',
      'What does the contract allow? An adjustable rate has a cap for the first change, one for each later change and one for its whole life. Work out the payment at the last of them.',
      'Could you pay that? Not comfortably; at all. If the answer is no, the fixed rate is not a preference but a need.',
      'Would you really refinance? Many people mean to. It costs fees, needs an appraisal and depends on the rates of that day.',
    ],
  },
  {
    paragraphs: [
      'A fixed rate is a kind of insurance, and its premium is the difference in the early years. Like every insurance it looks like a waste until the day it is not. The honest reason to leave it out is that you could bear the damage yourself.',
    ],
    keep: 'Choose the adjustable rate only if you could live with its highest payment, and the fixed one if you would lose sleep over it.',
  },
];
