/** Texts of the event pages, in addition to the cards. */
import { bank } from '#contract/constants.ts';

export const eventText = {
  page: {
    title: 'Events',
    description: `Evenings, mornings and one clinic at ${bank.name}: free, for everybody, every month.`,
  },
  title: 'Evenings, mornings, one clinic',
  lead: 'Five hours a month in which the bank is a room with chairs. They cost nothing, you need no account, and nobody sells you anything.',
  held: 'Held by',
  when: 'When',
  where: 'Where',
  cost: 'Costs',
  free: 'Nothing',
  bring: 'What to bring',
  keepChair: 'Keep me a chair',
  chairSubject: (title: string) => `A chair for: ${title}`,
  chairMessage: (title: string) => `Please keep a chair for me at “${title}”. I would come on: `,
  all: 'All events',
  others: 'The other four',
} as const;

export const eventTexts: Record<string, { paragraphs: readonly string[]; bring: readonly string[] }> = {
  'first-home': {
    paragraphs: [
      'Most people look at forty listings and at no figures, and then sign in a hurry. This evening does it the other way round. You bring one listing, the one you keep going back to, and we take it apart into what it costs each month: payment, taxes, insurance, heating, and the part that is put aside for the roof.',
      'We are six at a table at most. Everybody works out their own house, with a pencil, and Maren goes round and asks the awkward questions. At the end you have one page that says whether the house fits into your month, and you take it with you. Whether you then borrow, and from whom, is none of that evening’s business.',
    ],
    bring: [
      'A listing, on paper or on a screen',
      'What comes in each month, roughly',
      'What goes out each month, honestly',
    ],
  },
  'business-breakfast': {
    paragraphs: [
      'For people in the first two years of a firm, or in the last two months before one. There is coffee at eight, and at ten past somebody puts a sheet of figures on the table: theirs, on purpose, with the name cut off if they like.',
      'For forty minutes everybody present looks at the same sheet: when money comes in, when it goes out, and in which week it will not be enough. Jonas says what a lender would ask. It is the cheapest way we know to hear those questions before they count.',
    ],
    bring: [
      'A month of income and expenses on one page',
      'The question you would not ask a bank',
      'An appetite',
    ],
  },
  'statement-in-ten-minutes': {
    paragraphs: [
      'A statement is written by people who know what it means, for people who do not. Tomas puts one on the wall and reads it aloud, from the top line to the small print, stopping wherever somebody raises a hand. It takes ten minutes if nobody does, and nobody has ever let it take ten minutes.',
      'Then it is your turn. You bring a statement of your own, from any bank, and cover the account number with your thumb. What is a pending item? Why are there two dates? Which balance is the real one? You leave knowing which three lines to read each month and which ones to skip.',
    ],
    bring: ['One statement, from any bank', 'A pencil'],
  },
  'fraud-clinic': {
    paragraphs: [
      'Everybody has one: the parcel that could not be delivered, the grandchild with a new number, the account that will be closed tonight. Bring it. Ilse puts it on the big screen, with your name removed, and takes it apart line by line until everybody can see where the hook is.',
      'The second half is for those to whom it has happened. What to do in the first minute, whom to write to, what can be brought back and what cannot. It is said calmly, and nobody is asked why they believed it. These messages are made by people who do nothing else all day.',
    ],
    bring: [
      'The message, as a picture or on your telephone',
      'No passwords and no codes: we never ask for them',
    ],
  },
  'saving-for-later': {
    paragraphs: [
      'Saving fails in two places: the sum is too large, and it leaves the account too late. This quiet hour is about choosing a small sum and an early date, and about giving every purpose its own: the year’s insurance, the journey, the teeth, the bad month.',
      'We draw a year on paper and mark on it what is certain to come, because most surprises have a date. Then we divide, count backwards and write down a monthly figure that you would not quarrel with. Jonas shows his own, including the month in which it went wrong.',
    ],
    bring: ['A calendar of the coming year', 'The two bills you dread'],
  },
};
