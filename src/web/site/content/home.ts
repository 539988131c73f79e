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
  lead: 'Your trusted partner for banking, credit cards, loans, mortgages and more. Larkspur keeps its books the old way, exactly, and its doors the new way: open at any hour, on any screen.',
  figuresLabel: 'Larkspur in four figures',
  figures: [
    { value: '24–48 hours', label: 'from application to approval' },
    { value: '$0.00', label: 'fee on every transfer' },
    { value: '42', label: 'listed banks, in 19 countries' },
    { value: 'Day and night', label: 'someone at the Help Desk' },
  ],
  why: {
    title: 'Why Choose Larkspur',
    lead: 'Because a bank should be the least surprising thing in your week. These four we hold ourselves to.',
    items: [
      {
        title: secureTitle,
        art: secure,
        text: 'Six digits or more that you choose, a code we send, and a session that closes behind you. Every change to your account writes a line that nobody can erase unseen, us included.',
      },
      {
        title: loansTitle,
        art: loans,
        text: 'The amount, the months and the rate on one page, with every payment listed before you sign. Tell us what you can spare in a month and we start from there.',
      },
      {
        title: mortgageTitle,
        art: mortgage,
        text: 'One person from the first question to the last signature. Bring the listing you keep going back to; we work out what it costs you each month, and you keep the paper.',
      },
      {
        title: supportTitle,
        art: support,
        text: 'Write at three in the morning and a person answers, not a menu. They read the same books you see, and can tell you where your money is.',
      },
    ],
  },
} as const;
