/** Texts of the About page. */
import { bank } from '#contract/constants.ts';

export const aboutText = {
  page: {
    title: 'About',
    description: `Why ${bank.name} exists, what it wants to become, and how it works.`,
    card: 'about',
  },
  title: 'A bank that shows its work',
  lead: 'Larkspur started with a simple wish: you should be able to read your account the way an accountant reads a ledger, and find nothing missing.',
  aims: [
    {
      title: 'Vision',
      text: 'Money should never surprise you. At any hour and on any screen, you know what you have, what is on its way, and what it costs, to the cent.',
    },
    {
      title: 'Mission',
      text: 'To keep exact books. We record every movement twice, never change a record, explain what happened in plain words, and have a person answer when the words aren’t enough.',
    },
  ],
  features: {
    title: 'How we work',
    items: [
      {
        title: 'Secure banking',
        text: 'Two steps to log in, a session that ends on its own, and a log of every change. If anyone alters the log, even us, it shows.',
        link: 'How to choose 6 digits or more',
        to: '/resources/six-digits',
      },
      {
        title: 'Loan solutions',
        text: 'Fixed terms, equal payments, and a schedule that you can check with a pencil before you sign.',
        link: 'How to read a schedule',
        to: '/resources/payment-schedule',
      },
      {
        title: 'Mobile banking',
        text: 'The same bank on your phone and on your computer. It runs in your browser, and you can install it as an app.',
        link: 'What an account gives you',
        to: '/benefits',
      },
      {
        title: 'Innovation',
        text: 'We add something new only where it makes banking clearer, such as the account holder’s name before you send.',
        link: 'Where a transfer is each day',
        to: '/resources/three-to-seven-days',
      },
    ],
  },
  name: {
    title: 'Why a flower',
    paragraphs: [
      'The larkspur grows tall on poor soil, slowly, and comes back every summer. Each of its flowers has a spur at the back, shaped like the heel of a lark, and the spur holds the nectar.',
      'The double line under a balance is an accountant’s sign for a final total. You’ll find it here under your balance, the amount of a transfer, and the total of a receipt.',
    ],
  },
  people: {
    title: 'The people you meet',
    lead: 'Four of the people who write our articles and host our events.',
  },
} as const;
