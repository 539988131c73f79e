/** Texts of the home page. Those fixed by the specification come from the contract's messages. */
import * as homeMessages from '#contract/messages/home.ts';
import loans from '../art/spot-loans.svg';
import mortgage from '../art/spot-mortgage.svg';
import secure from '../art/spot-secure.svg';
import support from '../art/spot-support.svg';

const [secureTitle, loansTitle, mortgageTitle, supportTitle] = homeMessages.why;

export const homeText = {
  page: {
    title: 'Larkspur Bank: every cent, accounted for',
    description:
      'Your trusted partner for banking, credit cards, loans, mortgages and more: exact books, free transfers, and a person who answers.',
  },
  title: 'Every cent, accounted for.',
  lead: 'Your trusted partner for banking, credit cards, loans, mortgages and more. Larkspur keeps exact books, charges nothing for transfers, and is open at any hour, on any screen.',
  figuresLabel: 'Larkspur in four numbers',
  figures: [
    { value: '24–48 hours', label: 'from application to answer' },
    { value: '$0.00', label: 'fee on every transfer' },
    { value: '42', label: 'banks to pick from, in 19 countries' },
    { value: '24/7', label: 'a person at the Help Desk' },
  ],
  why: {
    title: 'Why Choose Larkspur',
    lead: 'A bank should be the least surprising thing in your week. Here is what you can expect from us.',
    items: [
      {
        title: secureTitle,
        art: secure,
        text: 'A password that you choose, a code that we send, and a session that ends on its own. We log every change to your account. If anyone alters the log, even us, it shows.',
      },
      {
        title: loansTitle,
        art: loans,
        text: 'The amount, the term and the rate on one page, with every payment listed before you sign. Tell us what you can pay each month, and we start from there.',
      },
      {
        title: mortgageTitle,
        art: mortgage,
        text: 'You work with one person from the first question to the last signature. Bring a listing, and we work out together what it costs you each month.',
      },
      {
        title: supportTitle,
        art: support,
        text: 'Write at 3:00 AM, and a person answers. They see the same transactions you see, and can tell you where your money is.',
      },
    ],
  },
} as const;
