/** Texts of the plain public pages: policies, and what an account offers. They must not promise more than the product does. */
import { nameOfMonth } from '#contract/bankTime.ts';
import { bank, registration, terms as termsRule } from '#contract/constants.ts';
import { insuranceNotice } from '#web/base/insuranceNotice.ts';
import benefits from '../art/page-benefits.svg';
import coverage from '../art/page-coverage.svg';
import launderingPicture from '../art/page-laundering.svg';
import methods from '../art/page-methods.svg';
import privacyPicture from '../art/page-privacy.svg';
import terms from '../art/page-terms.svg';

/** A section with a heading in the margin. */
export type PageSection = {
  heading: string;
  paragraphs: readonly string[];
  list?: readonly { term: string; text: string }[];
  days?: DaysDiagramText;
  /** The section in a few words, for the page's stem diagram. */
  inShort?: string;
};

/** Ways to move money, with the days on which it can arrive. */
export type DaysDiagramText = {
  caption: string;
  today: string;
  groups: readonly {
    heading: string;
    /** `arrives` is missing if another bank decides when. */
    ways: readonly { term: string; text: string; arrives?: 'today' | 'later' }[];
  }[];
};

/** A plant that grows from `root` and has a blossom for every section with an `inShort`. */
export type StemDiagramText = { caption: string; root: string };

export type Figure = { value: string; label: string };

/** A page of text. `title` and `description` are for the browser tab and search engines. */
export type PageText = {
  title: string;
  description: string;
  /** The page's name, for a heading that doesn't say it. */
  name?: string;
  heading: string;
  lead: string;
  picture: string;
  updated?: string;
  /** Large figures under the title. */
  figures?: readonly Figure[];
  stem?: StemDiagramText;
  sections: readonly PageSection[];
  next: readonly { to: string; label: string }[];
};

const privacy: PageText = {
  picture: privacyPicture,
  title: 'Privacy policy',
  description: 'What Larkspur Bank stores about you, where, for how long, and how to have it erased.',
  name: 'Privacy policy',
  heading: 'What we know about you, and why',
  updated: 'Last updated November 2026',
  lead: 'We store only what we need to run your account and to answer you, and we sell none of it. No page of this site loads anything from another company.',
  sections: [
    {
      heading: 'What we store',
      paragraphs: [
        'The details that you give us: name, gender, date of birth, address, email, phone number and the pictures you upload. We keep your password in a form that can’t be turned back into the password. We also store your transactions, payees, scheduled transfers and savings goals, your passkeys and authenticator app, the devices you log in with or get push notifications on, and notes that our employees write about their work for you. We compare your name with sanctions lists and keep the result.',
        'We log every login, every change, and everything an administrator does with your account, with the time and the network address. If a record were changed or removed, the log would show it. That way, we can always find out who did what, and when.',
      ],
    },
    {
      heading: 'In your browser',
      paragraphs: [
        'While you are logged in, your browser stores your name, email, account number, a link to your picture and a session key that expires within the hour. It never stores your balance, address or phone number. If a transfer gets no answer, your browser also keeps its details until the result is known. A cookie lets us recognize this browser for half a year when you log in again, so that people who guess your password can’t lock you out. There are no advertising cookies and no trackers, so there is no cookie banner.',
      ],
    },
    {
      heading: 'Who sees it',
      paragraphs: [
        'Our employees see what they need for their work, and we record each time they view your ID document. Other customers who type your account number see your name, so that they send money to the right person. Customers who receive money from you see your name, too, and their receipts show the last four digits of your account number. They see nothing else about you. Another bank that you send money to gets what it needs to credit the payment.',
        'We give records to authorities when the law requires it. We don’t sell your data, and we don’t show you ads.',
      ],
    },
    {
      heading: 'When you write to us',
      paragraphs: [
        'When you send a message with the contact form, we store it with your name and email address, and email it to the Help Desk so that we can answer it. We erase it after 13 months.',
      ],
    },
    {
      heading: 'When you apply',
      paragraphs: [
        `If we reject your application, we erase your details and pictures right away. If you don’t confirm your email by logging in once within ${registration.provenInDays} days, we may remove your application.`,
      ],
    },
    {
      heading: 'When you leave',
      paragraphs: [
        `You can close your account yourself, under Settings, once it is empty and nothing is pending. We then erase your personal details and pictures. If the law requires us to keep some of them longer, Settings tells you, before you close the account, which details we keep and for how long. The transactions stay in our books under the name “Closed account.” Send questions to ${bank.supportEmail}.`,
      ],
    },
  ],
  next: [
    { to: '/terms-and-conditions', label: 'Terms and conditions' },
    { to: '/contact', label: 'Help Desk' },
  ],
};

const laundering: PageText = {
  picture: launderingPicture,
  title: 'Anti-money-laundering policy',
  description: 'How Larkspur Bank keeps the proceeds of crime out of its accounts.',
  name: 'Anti-money-laundering policy',
  heading: 'Keeping dirty money out',
  lead: 'A bank that doesn’t ask where money comes from ends up working for criminals.',
  updated: 'Last updated March 2024',
  sections: [
    {
      heading: 'Who you are',
      paragraphs: [
        'A person reads every application, and an account can be used only after a person has approved it. We check ID documents separately and record each time an employee views one.',
      ],
    },
    {
      heading: 'What moves',
      paragraphs: [
        'We record each movement twice: once where it came from, once where it went. We never change or delete a record. If an account gives cause for concern, we freeze it: money can still arrive, but none can leave until the question is answered.',
      ],
    },
    {
      heading: 'What we look for',
      paragraphs: ['None of these proves a crime, but each is a reason for us to take a closer look.'],
      list: [
        {
          term: 'In and straight out',
          text: 'Money that arrives and leaves again the same day, in nearly the same amount.',
        },
        { term: 'Many small payments', text: 'One amount split into parts for no clear reason.' },
        {
          term: 'A story that doesn’t fit',
          text: 'Amounts that don’t match the purpose of the account.',
        },
        {
          term: 'Signs of an account takeover',
          text: 'A new password, a new address and a large transfer within an hour.',
        },
      ],
    },
    {
      heading: 'What we keep',
      paragraphs: [
        'We keep every transaction, and a log of everything that customers and administrators do with an account. If a record were changed or removed, the log would show it. We show you your own transactions, and give these records to authorities when the law requires it. Another bank that you pay gets only what it needs to credit the payment.',
      ],
    },
    {
      heading: 'What we ask of you',
      paragraphs: [
        'Don’t receive or pass on money for other people, however good the reason sounds. If someone has asked you to, write to the Help Desk first. We’ll help you.',
      ],
    },
  ],
  next: [
    { to: '/privacy-policy', label: 'Privacy policy' },
    { to: '/contact', label: 'Help Desk' },
  ],
};

/** The plain pages by path. Some paths show the same page. */
export const pageTexts = {
  '/coverage': {
    picture: coverage,
    title: 'Coverage: where we serve, and what protects your money',
    description: 'Where and how Larkspur Bank serves its customers, and what protects deposits.',
    heading: 'Where we serve, and what protects your money',
    lead: 'One building on Meadow Row, one website for everywhere else, and transfers to banks in 19 countries.',
    figures: [
      { value: '42', label: 'listed banks, and any other you name' },
      { value: '19', label: 'countries with listed banks' },
      { value: 'US dollars', label: 'in every account' },
      { value: '24/7', label: 'on any device with a browser' },
    ],
    sections: [
      {
        heading: 'Deposit insurance',
        paragraphs: [insuranceNotice],
      },
      {
        heading: 'How your money is protected',
        paragraphs: [
          'We record every movement twice, and the two sides must match. The database refuses to change or delete a record, and refuses to take an account below zero. Money on its way to another bank waits in a clearing account until it arrives. If the other bank returns it, it goes back into your account.',
          'We can check all our books at any time: they must add up to zero. A log records who did what. If a record were changed or removed, the log would show it.',
        ],
      },
      {
        heading: 'How we serve you',
        paragraphs: [
          'You can bank entirely on this website: on a phone or a computer, with a keyboard or a screen reader, and in dark mode. If a page doesn’t answer your question, a person at the Help Desk does.',
        ],
      },
      {
        heading: 'Where we serve you',
        paragraphs: [
          `You can apply, log in and send money from any browser, at any hour. Our address is ${bank.address}. All accounts are in US dollars.`,
          'A transfer to another Larkspur account arrives right away. A transfer to one of 42 listed banks in 19 countries, or to any other bank you name, takes 3–7 business days.',
        ],
      },
      {
        heading: 'Nineteen countries',
        paragraphs: [
          'The 42 listed banks are in these countries. For a bank anywhere else, type its name yourself.',
        ],
        list: [
          { term: 'Americas', text: 'Brazil, Canada, United States' },
          {
            term: 'Europe',
            text: 'Denmark, France, Germany, Italy, Netherlands, Spain, Sweden, Switzerland, United Kingdom',
          },
          { term: 'Africa and Middle East', text: 'Nigeria, South Africa, United Arab Emirates' },
          { term: 'Asia and Pacific', text: 'Australia, China, Japan, Singapore' },
        ],
      },
    ],
    next: [
      { to: '/methods', label: 'Methods' },
      { to: '/about', label: 'About the bank' },
    ],
  },
  '/benefits': {
    picture: benefits,
    title: 'Benefits: what an account gives you',
    description:
      'What a Larkspur account gives you: exact numbers, free transfers, and a person who answers.',
    heading: 'What an account gives you',
    lead: 'One kind of account, without tiers or points.',
    figures: [
      { value: '$0.00', label: 'fee on every transfer' },
      { value: 'Seconds', label: 'between Larkspur accounts' },
      { value: '24–48 hours', label: 'from application to answer' },
      { value: 'One tap', label: 'hides your balance from others' },
    ],
    stem: {
      caption: 'Everything that grows from one Larkspur account.',
      root: 'Your account',
    },
    sections: [
      {
        heading: 'Clear numbers',
        inShort: 'A reference, a date and a status for every transaction',
        paragraphs: [
          'You see your balance, what you sent and what you received on one page. Every transaction has a reference, a date and a status: completed, pending or failed. If it failed, it says that the money was returned.',
        ],
      },
      {
        heading: 'No fees',
        inShort: '$0.00 inside Larkspur and to other banks',
        paragraphs: [
          'Sending money costs $0.00, inside Larkspur and to other banks. Before you send to a Larkspur account you see the account holder’s name, so you notice a wrong digit in time.',
        ],
      },
      {
        heading: 'No overdraft',
        inShort: 'Your balance can’t go below zero',
        paragraphs: [
          'Your balance can’t go below zero, so there is no overdraft and no overdraft fee. If a transfer is more than your balance, we tell you and move nothing.',
        ],
      },
      {
        heading: 'A safe login',
        inShort: 'A password, and a code that only you receive',
        paragraphs: [
          'Logging in takes a password that you choose and a code that only you receive. Five wrong attempts lock the login for 15 minutes, and we email you. A session ends within the hour, or after about 15 minutes without activity. Changing your password ends every other session right away.',
        ],
      },
      {
        heading: 'You’re in control',
        inShort: 'A notification whenever money moves',
        paragraphs: [
          'You get a notification when money arrives or leaves, when a transfer is completed or returned, and when your password changes. You can hide your balance, change your contact details, and close your account yourself when it is empty.',
        ],
      },
      {
        heading: 'For any screen and every reader',
        inShort: 'Phone or computer, light or dark',
        paragraphs: [
          'The same pages work on phones and computers, in light and dark mode, at twice the text size, with a keyboard or a screen reader. You can install Larkspur as an app, and the app updates itself.',
        ],
      },
      {
        heading: 'A person to ask',
        inShort: 'The Help Desk sees the transactions you see',
        paragraphs: [
          'The Help Desk sees the same transactions you see. Give us a reference number, and we can look at your transfer right away.',
        ],
      },
    ],
    next: [
      { to: '/register', label: 'Apply Now' },
      { to: '/methods', label: 'Methods' },
      { to: '/coverage', label: 'What protects your money' },
    ],
  },
  '/methods': {
    picture: methods,
    title: 'Methods: adding money and sending money',
    description: 'Ways to add money to a Larkspur account, and to send money from it.',
    heading: 'Adding money, sending money',
    lead: 'How money moves, how long it takes, and what you see in the meantime.',
    figures: [
      { value: 'Seconds', label: 'between Larkspur accounts' },
      { value: '3–7 days', label: 'to other banks, in business days' },
      { value: '$0.00', label: 'fee on every transfer' },
      { value: '42', label: 'banks to pick from a list' },
    ],
    sections: [
      {
        heading: 'Adding money',
        paragraphs: [
          'To get money from another Larkspur customer, give them your 12-digit account number. The money arrives as soon as they send it. To get money from another bank, give our routing number, too. After you log in, both numbers are under Add money. If the bank itself pays you, for example to make up for a mistake, your transactions show an Admin Credit.',
        ],
      },
      {
        heading: 'Sending to Larkspur accounts',
        paragraphs: [
          'An Internal Transfer arrives right away, and you can’t take it back. Type the number, check the account holder’s name, enter the amount, and send. The last digit of every account number is a check digit, so the form catches most typos itself.',
        ],
      },
      {
        heading: 'Sending to other banks',
        paragraphs: [
          'An External Transfer leaves your balance right away and takes 3–7 business days to arrive. You can cancel it until the next cut-off: 5:00 PM in New York, on business days. Until it arrives it is pending. Then it is completed or, if the other bank returns it, failed, and the money is returned to your account.',
        ],
      },
      {
        heading: 'Side by side',
        paragraphs: [],
        days: {
          caption:
            'The numbers count the business days after a transfer. After the cut-off, the count starts on the next business day. The money arrives on one of the highlighted days. Until then, the transfer is pending.',
          today: 'Today',
          groups: [
            {
              heading: 'In',
              ways: [
                {
                  term: 'From another Larkspur customer',
                  text: 'Right away. You get a notification.',
                  arrives: 'today',
                },
                {
                  term: 'From another bank',
                  text: 'The other bank decides how long it takes. You get a notification when it arrives.',
                },
                {
                  term: 'From Larkspur',
                  text: 'Right away. You see it as Admin Credit.',
                  arrives: 'today',
                },
              ],
            },
            {
              heading: 'Out',
              ways: [
                {
                  term: 'To a Larkspur account',
                  text: 'Right away, final, $0.00. You see the account holder’s name before you send.',
                  arrives: 'today',
                },
                {
                  term: 'To one of 42 listed banks',
                  text: '3–7 business days, $0.00. You can cancel it until the next cut-off. You choose the bank and type the account number.',
                  arrives: 'later',
                },
                {
                  term: 'To any other bank',
                  text: '3–7 business days, $0.00. You can cancel it until the next cut-off. You type the bank’s name, too.',
                  arrives: 'later',
                },
              ],
            },
          ],
        },
      },
    ],
    next: [
      { to: '/resources/three-to-seven-days', label: 'One transfer, day by day' },
      { to: '/coverage', label: 'Where we serve' },
      { to: '/benefits', label: 'What an account gives you' },
    ],
  },
  '/privacy-policy': privacy,
  '/private-policy': privacy,
  '/terms-and-conditions': {
    picture: terms,
    title: 'Terms and conditions',
    description: 'What you can expect of Larkspur Bank, and what it expects of you.',
    heading: 'Terms and conditions',
    lead: 'What you can expect of us, and what we expect of you.',
    updated: `Version of ${nameOfMonth(termsRule.version, 'full')}`,
    sections: [
      {
        heading: 'Who can open an account',
        paragraphs: [
          'You must be 18 or older. Each person can have one account. A minimum balance requirement may apply to an account. Today there is none.',
          'A person reads every application and answers it, usually within 24–48 hours. Everything you tell us in it must be true.',
        ],
      },
      {
        heading: 'What you keep to yourself',
        paragraphs: [
          'Keep your password and the codes we send to yourself. We never ask for them by phone, email or message. If you think that someone knows them, change your password; every other session ends right away.',
        ],
      },
      {
        heading: 'Sending money',
        paragraphs: [
          'You can send up to your balance. A transfer to another Larkspur account is final when it is made. A transfer to another bank leaves your balance right away and arrives in 3–7 business days. If the other bank returns it, you get the full amount back. Sending costs $0.00.',
          'You are responsible for the account number you type. For a Larkspur account we show you the account holder’s name first; for another bank we can’t.',
        ],
      },
      {
        heading: 'Our books',
        paragraphs: [
          'The balance and the transactions on this site are the bank’s own books. If you find an error, write to the Help Desk with the reference number. We answer with the records, and correct an error with a new transaction that says so.',
        ],
      },
      {
        heading: 'What the bank may do',
        paragraphs: [
          'We may freeze an account while a question about it is open, return a transfer that another bank has refused, and close an account that is used illegally. You can close your account yourself when it is empty and nothing is pending.',
        ],
      },
    ],
    next: [
      { to: '/privacy-policy', label: 'Privacy policy' },
      { to: '/anti-laundring', label: 'Anti-money-laundering' },
    ],
  },
  '/anti-laundring': laundering,
  '/anti-laundering': laundering,
} satisfies Record<string, PageText>;
