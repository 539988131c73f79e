/** Texts of the About page. */
import { bank } from '#contract/constants.ts';

export const aboutText = {
  page: {
    title: 'About',
    description: `Why ${bank.name} exists, what it wants to become, and how it works.`,
    card: 'about',
  },
  title: 'A bank that shows its working',
  lead: 'Larkspur began with a plain wish: that anybody could read their account the way an accountant reads a ledger, and find nothing missing.',
  aims: [
    {
      title: 'Vision',
      text: 'That money stops being a source of surprise. A person should know, at any hour and on any screen, what they have, what is on its way, and what it will cost them, to the cent.',
    },
    {
      title: 'Mission',
      text: 'To keep exact books and open doors: to write every movement twice, to change nothing afterwards, to say what happened in words a neighbour would use, and to have a person answer when the words are not enough.',
    },
  ],
  features: {
    title: 'Four habits of the house',
    items: [
      {
        title: 'Secure banking',
        text: 'Two steps to log in, a session that ends by itself, and a record of every change that nobody can alter unseen, us included.',
        link: 'How to choose your six digits',
        to: '/resources/six-digits',
      },
      {
        title: 'Loan solutions',
        text: 'Fixed terms, equal payments, and a schedule that you can check with a pencil before you sign it.',
        link: 'How to read a schedule',
        to: '/resources/payment-schedule',
      },
      {
        title: 'Mobile banking',
        text: 'The same bank on a telephone as on a desk. It opens in the browser you have; there is nothing to install.',
        link: 'What an account brings',
        to: '/benefits',
      },
      {
        title: 'Innovation',
        text: 'New things only where they make an old thing plainer: a holder’s name before you send, a reason under every pause.',
        link: 'Where a transfer is each day',
        to: '/resources/three-to-seven-days',
      },
    ],
  },
  name: {
    title: 'Why a flower',
    paragraphs: [
      'The larkspur grows tall on poor soil, slowly, and comes back every summer. Behind each of its flowers stands a spur like the heel of a lark, and in the spur is what the visit is for. We liked that: no show without something behind it.',
      'The two lines that you find under a balance are older than any bank. Accountants draw them when a sum is final. You will find them here under three figures only: what you have, what a transfer comes to, and what a receipt says. Where the two lines stand, we stand behind the number.',
    ],
  },
  people: { title: 'Who writes and answers', lead: 'Four of the people behind the pages and the evenings.' },
} as const;
