/** Labels of the event pages, and the text of each event. The cards are in `eventList.ts`. */
import { bank } from '#contract/constants.ts';

export const eventText = {
  page: {
    title: 'Events',
    description: `Free events at ${bank.name} for everyone, every month: mortgages, statements, fraud, savings and business.`,
    card: 'event',
  },
  title: 'Free events, every month',
  lead: 'Five hours a month about your money, in person. The events are free, you don’t need an account, and we don’t sell anything.',
  held: 'Hosted by',
  when: 'When',
  next: 'Next date',
  nextOn: (day: string) => `Next: ${day}`,
  where: 'Where',
  cost: 'Price',
  free: 'Free',
  bring: 'What to bring',
  reserve: 'Reserve a seat',
  seatSubject: (title: string) => `A seat at “${title}”`,
  /** The build knows no date, so a prerendered page says 'the next date' until it is hydrated. */
  seatMessage: (title: string, day = 'the next date') =>
    `Please reserve a seat for me at “${title}” on ${day}.`,
  all: 'All events',
  others: 'Other events',
  holidays: 'If the date is a federal holiday, we meet a week later.',
} as const;

export const eventTexts: Record<string, { paragraphs: readonly string[]; bring: readonly string[] }> = {
  'first-home': {
    paragraphs: [
      'Most people look at 40 listings and no numbers, and then sign the contract in a hurry. This evening is the other way around. Bring one listing, the one you keep going back to, and we work out what it costs each month: payment, taxes, insurance, heating, and savings for repairs.',
      'There are at most six people at a table. Everyone works on their own house with a pencil, and Maren comes by with the hard questions. At the end you have one page that shows whether you can afford the house, and you take it home. Whether you then borrow, and from whom, is up to you.',
    ],
    bring: [
      'A listing, on paper or on a screen',
      'Your monthly income, roughly',
      'Your monthly expenses, honestly',
    ],
  },
  'business-breakfast': {
    paragraphs: [
      'For people in the first two years of a business, or in the last two months before they start. Coffee is at 8:00 AM. At 8:10 AM one of you puts a sheet of numbers on the table, without a name if you like.',
      'For 40 minutes everyone looks at the same sheet: when money comes in, when it goes out, and in which week it won’t be enough. Jonas asks the questions that a lender will ask, so that you can practice your answers.',
    ],
    bring: [
      'A month of income and expenses on one page',
      'The question you wouldn’t ask a bank',
      'An appetite',
    ],
  },
  'statement-in-ten-minutes': {
    paragraphs: [
      'Bank statements are written by people who already understand them. Tomas shows one on the screen and reads it aloud, from the first line to the fine print, and stops whenever you raise a hand. Without questions it takes ten minutes, and there are always questions.',
      'Then it is your turn. Bring a statement of your own, from any bank, and cover the account number with your thumb. What is a pending transaction? Why are there two dates? Which balance is the real one? You leave knowing which three lines to read each month and which to skip.',
    ],
    bring: ['One statement, from any bank', 'A pencil'],
  },
  'fraud-clinic': {
    paragraphs: [
      'Everyone gets them: the package that couldn’t be delivered, the grandchild with a new number, the account that will be closed tonight. Bring yours. Ilse puts it on the big screen, without your name, and goes through it line by line until everyone can see the trick.',
      'The second half is for people who lost money. What to do in the first minute, who to write to, what we can get back and what we can’t. We won’t ask why you believed it. The people who write these messages do it full time.',
    ],
    bring: ['The message, as a picture or on your phone', 'No passwords and no codes: we never ask for them'],
  },
  'saving-for-later': {
    paragraphs: [
      'Saving fails for two reasons: the amount is too large, and the money moves too late. In this hour you choose a small amount and an early date, and you give each goal an amount and a date of its own: the insurance bill, the trip, the dentist, the bad month.',
      'We draw a calendar of the next year and mark what is sure to come, because most surprises have a date. Then we count back and write down a monthly amount that you can live with. Jonas shows his own calendar, including the month that went wrong.',
    ],
    bring: ['A calendar of the next year', 'The two bills you dread'],
  },
};
