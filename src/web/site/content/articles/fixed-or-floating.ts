/**
 * Article: fixed and adjustable mortgage rates compared. Figures: $300,000 over 30 years; payments without taxes and insurance.
 */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Two families buy the same kind of house on the same street, and each borrows $300,000 for 30 years. One takes a fixed rate of 6.25 percent. The other takes an adjustable rate: 5.5 percent for five years, and after that the market rate, within limits that the contract sets.',
      'For five years the second family is ahead. It pays $1,703.37 a month; the first family pays $1,847.15. The difference of $143.78 adds up to $8,626.80 over 60 months. The debt falls a little faster, too: to $277,382, compared with $280,012. Taxes and insurance are the same for both and are left out here.',
    ],
  },
  {
    heading: 'Month 61',
    paragraphs: [
      'Then the second family’s rate changes, with 25 years to go. No one can know in advance what the new rate will be. The table shows the payment at five possible rates.',
    ],
    table: {
      caption: 'The adjustable loan from year six on',
      head: ['New rate', 'Monthly payment', 'Compared with $1,847.15'],
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
    paragraphs: ['The numbers don’t choose for you, but they show what to ask.'],
    points: [
      'How long will you stay? If you are sure to sell within five years, you never reach month 61.',
      'What does the contract allow? An adjustable rate has a cap for the first change, a cap for each later change, and a cap for the life of the loan. Work out the payment at the highest rate these caps allow.',
      'Could you pay that, even if it hurts? If not, you need the fixed rate.',
      'Would you really refinance? Many people plan to. It takes fees and an appraisal, and it depends on the rates that day.',
    ],
  },
  {
    paragraphs: [
      'A fixed rate is a kind of insurance, and the higher payment in the early years is its premium. Like any insurance, it looks like a waste until you need it. The honest reason to skip it is that you could afford the damage yourself.',
    ],
    keep: 'Choose the adjustable rate only if you could pay its highest payment. Choose the fixed rate if you would lose sleep over it.',
  },
];
