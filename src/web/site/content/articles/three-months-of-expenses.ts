/** Article: how to start an emergency fund. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Every book on money says to keep three months of expenses in reserve. Most people who need that advice can’t follow it on the day they read it, because three months of expenses is thousands of dollars. So start with something smaller: a date, and $20.',
      'You build an emergency fund with a date, not with willpower. Choose the day after your payday. On that day, $20 moves to the account you don’t spend from, before rent and before groceries. You won’t miss money that left on the second of the month. If you wait until the twentieth to see what is left over, there usually isn’t anything.',
    ],
  },
  {
    heading: 'How much is a month?',
    paragraphs: [
      'It isn’t what you earn, and it isn’t what you spend in a good month. A month of expenses is what you would still have to pay if your income stopped: rent or mortgage, electricity, food cooked at home, medicine, your phone, the minimum payment on every debt, getting to work. Look through your last three months of transactions and add up only those. For most people the total is smaller than they feared.',
    ],
  },
  {
    heading: 'The first $1,000 does most of the work',
    paragraphs: ['A partly filled fund already helps. Each part covers a different kind of bad luck:'],
    points: [
      'The first $400 pays for a tire, a dentist’s bill or a broken phone. Without it, these end up on a credit card, at the card’s rate.',
      'The first $1,000 pays for a rent deposit, a flight to a funeral or a month of shorter hours.',
      'One month of expenses covers a gap between two jobs.',
      'Three months of expenses lets you turn down the first bad offer and wait for the second.',
    ],
  },
  {
    heading: 'From $20 to enough',
    paragraphs: [
      'If you are paid every week, $20 each time becomes $1,040 in a year. Add $5 whenever something ends: a subscription, a loan, a course. Add unexpected money too, half of every refund and half of every gift, so that you also have something to enjoy.',
      'Keep the fund somewhere boring. It should be safe, available within days, and not on the page you look at while you shop. It isn’t an investment, and it doesn’t have to earn much. What it saves you is the interest you would pay on a card.',
      'When you use it, you haven’t failed; that is what it is for. Start again on the day after payday, with $20.',
    ],
    keep: 'Pick the day after payday, and an amount so small that you won’t argue with it.',
  },
];
