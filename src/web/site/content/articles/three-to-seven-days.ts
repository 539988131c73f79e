/** Article: one transfer to another bank, day by day. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'On a Monday at ten past nine a customer in Ohio pays a roofer $480.00. The roofer banks elsewhere. She picks his bank from the list, types the account number, reads it twice and presses Send Money. By the time her thumb is off the glass three things have happened, and none of them is that the roofer has been paid.',
      'First, her balance is $480.00 lower. Second, the same amount stands in an account of ours called clearing, which is a hallway: money waits there, and nobody can spend it. Third, an instruction is on its way. Her screen says Pending, and that is the exact word.',
    ],
  },
  {
    heading: 'The days in between',
    paragraphs: [
      'Banks do not hand each other money one payment at a time. They add up the day, compare lists and settle the difference. That takes working days, and it skips weekends and federal holidays, which is why we promise a span and not an hour.',
    ],
    table: {
      caption: 'One transfer, day by day',
      head: ['Day', 'What happens', 'You see'],
      rows: [
        ['Monday', 'The balance goes down, the money enters clearing', 'Pending'],
        ['Tuesday', 'The instruction travels with the others of the day', 'Pending'],
        ['Wednesday', 'The other bank looks for the account', 'Pending'],
        ['Thursday', 'The banks settle, clearing is emptied', 'Completed'],
      ],
    },
  },
  {
    heading: 'Four days or ten',
    paragraphs: [
      'Three to seven business days are between three and about eleven on the calendar. Sent on a Monday in an ordinary week, money can be there on Thursday. Sent on the Friday before a holiday it may meet four days on which no bank works before it has moved an inch. If a payment has a due date, count backwards from it in business days, and take the long end.',
    ],
  },
  {
    heading: 'When it comes back',
    paragraphs: [
      'Now and then the other bank has no such account. Then the money walks back down the hallway: the transfer turns to Failed, the full $480.00 returns to the balance, and a notification says so. Nothing is deducted for the trip; sending costs $0.00, and so does coming home.',
    ],
    keep: 'If a screen ever leaves you in doubt, do not type the transfer again. Look under Transactions first, or ask us. The reference number is enough.',
  },
  {
    paragraphs: [
      'A second transfer is the one way to pay a roofer twice. Each press of the button carries its own number, so a press that is repeated by a bad connection moves nothing. A new transfer, typed anew, is a new wish, and it will be granted.',
    ],
  },
];
