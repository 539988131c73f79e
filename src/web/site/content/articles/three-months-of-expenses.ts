/** Article: how to start an emergency fund. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Every book on money tells you to keep three months of expenses aside, and hardly anybody who needs the advice can follow it on the day they read it. Three months are thousands of dollars. So begin somewhere else: begin with the date, and with $20.',
      'A cushion is built by a date and not by willpower. Choose the day after your pay arrives. On that day $20 leave for the account you do not spend from, before rent, before groceries, before you have looked. What is gone on the second of the month is not missed on the twentieth; what is meant to be left over on the twentieth never is.',
    ],
  },
  {
    heading: 'How much is a month?',
    paragraphs: [
      'Not what you earn, and not what you spend in a good month. A month of expenses is what would still have to be paid if your income stopped: rent or mortgage, electricity, food cooked at home, medicine, the telephone, the minimum on every debt, the way to work. Look through the last three months of your transactions and add up only those. For most people the sum is a good deal smaller than they feared.',
    ],
  },
  {
    heading: 'The first thousand does most of the work',
    paragraphs: ['The cushion is not all or nothing. Each part of it pays for a different kind of bad luck:'],
    points: [
      'The first $400 pay for a tire, a dentist’s bill, a broken telephone. Without them such things end up on a card, at a card’s rate.',
      'The first $1,000 pay for a deposit, a flight to a funeral, a month of shorter hours.',
      'One month of expenses pays for a gap between two jobs.',
      'Three months let you say no to the first bad offer and wait for the second.',
    ],
  },
  {
    heading: 'From $20 to enough',
    paragraphs: [
      'At $20 a week you have $1,040 in a year. Raise it by $5 whenever something ends: a subscription, a loan, a course. Send the unexpected money there too, half of every refund and half of every gift, so that you also have something to enjoy.',
      'Keep the cushion where it is boring. It should be safe, it should be there within days, and it should not be on the page you look at while shopping. It is not an investment, and it need not earn much. What it earns is the interest you do not pay to others.',
      'When you use it, you have not failed; that was the use. Start again on the day after payday, with $20.',
    ],
    keep: 'Pick the day after payday, and a sum so small that you will not argue with it.',
  },
];
