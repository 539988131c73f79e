/** Article: one transfer to another bank, day by day. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'On a Monday at 9:10 AM, a customer in Ohio pays a roofer $480.00. The roofer has an account at another bank. She picks his bank from the list, types the account number, reads it twice and presses Send Money. Three things happen right away, but the roofer doesn’t have the money yet.',
      'First, her balance is $480.00 lower. Second, the $480.00 moves to an account of ours called clearing, where it waits and can’t be spent. Third, the payment instruction waits for the day’s cut-off, 5:00 PM in New York. Until then she can cancel it. Her screen says Pending.',
    ],
  },
  {
    heading: 'The days in between',
    paragraphs: [
      'Banks don’t pay each other one payment at a time. They add up the day’s payments, compare lists and settle the difference. That takes business days, without weekends and federal holidays. This is why we promise a range of days and not an hour.',
    ],
    table: {
      caption: 'One transfer, day by day',
      head: ['Day', 'What happens', 'You see'],
      rows: [
        ['Monday', 'Your balance goes down, the money moves to clearing', 'Pending'],
        ['Tuesday', 'The instruction travels with the others of the day', 'Pending'],
        ['Wednesday', 'The other bank looks for the account', 'Pending'],
        ['Thursday', 'The banks settle, the money leaves clearing', 'Completed'],
      ],
    },
  },
  {
    heading: 'Three days or twelve',
    paragraphs: [
      'Three to seven business days is between three and about twelve days on the calendar. In an ordinary week, money sent on a Monday can arrive on Thursday. Money sent on the Friday before a holiday weekend first waits through three days on which no bank works. Money sent after 5:00 PM, or on a weekend or holiday, counts from the next business day. If a payment has a due date, count back seven business days from it, and send before 5:00 PM that day.',
    ],
  },
  {
    heading: 'If it is returned',
    paragraphs: [
      'Sometimes the other bank has no such account. Then the transfer’s status changes to Failed, the full $480.00 is returned to your account, and we notify you. Nothing is deducted: sending costs $0.00, and so does a return.',
    ],
    keep: 'If you are ever in doubt, don’t send the transfer again. Check Transactions first, or ask us. The reference number is enough.',
  },
  {
    heading: 'Why a slow screen doesn’t pay twice',
    paragraphs: [
      'Each press of Send Money has its own number. If a bad connection repeats the request, we recognize the number and move nothing twice. Only a new transfer that you fill in again pays the roofer again.',
    ],
  },
];
