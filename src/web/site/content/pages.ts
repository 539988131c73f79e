/** Texts of the plain public pages: policies, and what an account offers. They must not promise what the product does not do. */
import { bank } from '#contract/constants.ts';
import benefits from '../art/page-benefits.svg';
import coverage from '../art/page-coverage.svg';
import methods from '../art/page-methods.svg';
import policies from '../art/page-policies.svg';

/** A section with a heading in the margin. */
export type PageSection = {
  heading: string;
  paragraphs: readonly string[];
  list?: readonly { term: string; text: string }[];
};

export type Figure = { value: string; label: string };

/** A page of text. `title` and `description` are for the browser tab and search engines. */
export type PageText = {
  title: string;
  description: string;
  heading: string;
  lead: string;
  picture: string;
  updated?: string;
  /** Large figures under the title. */
  figures?: readonly Figure[];
  sections: readonly PageSection[];
  next: readonly { to: string; label: string }[];
};

const privacy: PageText = {
  picture: policies,
  title: 'Privacy policy',
  description: 'What Larkspur Bank stores about you, where, for how long, and how to have it erased.',
  heading: 'What we know about you, and why',
  lead: 'We store what an account needs and nothing that could be sold. No page of this site loads anything from anybody else.',
  sections: [
    {
      heading: 'What we store',
      paragraphs: [
        'The details of your application: name, gender, address, email, telephone number and the pictures you upload. Your password only in a form it cannot be read back from. Your movements, because they are the account.',
        'Every login, every change and every act of an administrator on your account writes a line into a log, with the time and the network address it came from. No line can be altered or removed without the break showing. You gain from it as much as we do: it answers “who did this, and when”.',
      ],
    },
    {
      heading: 'In your browser',
      paragraphs: [
        'While you are logged in, your browser keeps your name, email, account number, the address of your picture and a session key that ends within the hour. It never keeps your balance, address or telephone number. One cookie lets us recognize this browser when you log in again, for half a year; it keeps people who guess at your password from locking you out. There are no advertising cookies and no trackers, so there is no banner to click away.',
      ],
    },
    {
      heading: 'Who sees it',
      paragraphs: [
        'The people of the bank whose work it is, and each look of theirs at your identity document is written down. Another customer who types your account number sees your name, so that money goes to the right person, and nothing else. A bank that you send money to is told what it needs to credit it.',
        'We sell nothing about you and show you nobody’s advertisements.',
      ],
    },
    {
      heading: 'When you write to us',
      paragraphs: [
        'A letter from the contact form is stored with your name and email address and mailed to the Help Desk, so that it can be answered and the answer found again.',
      ],
    },
    {
      heading: 'When you leave',
      paragraphs: [
        `You close your account yourself, under Settings, once it is empty and nothing is pending. Your personal details and pictures are then erased. The books keep their lines, as books must, but tell of a closed account. Questions go to ${bank.supportEmail}.`,
      ],
    },
  ],
  next: [
    { to: '/terms-and-conditions', label: 'Terms and conditions' },
    { to: '/contact', label: 'Help Desk' },
  ],
};

const laundering: PageText = {
  picture: policies,
  title: 'Anti-money-laundering policy',
  description: 'How Larkspur Bank keeps other people’s crimes out of its books.',
  heading: 'Keeping dirty money out',
  lead: 'A bank that does not ask where money comes from ends up working for those who would rather not say.',
  updated: 'Last updated March 2024',
  sections: [
    {
      heading: 'Who you are',
      paragraphs: [
        'Nobody banks here before a person has read the application and approved it. An identity document is checked separately, by a person, and every look at it is recorded.',
      ],
    },
    {
      heading: 'What moves',
      paragraphs: [
        'Each movement is written twice, where it came from and where it went, and no line is ever changed or deleted. An account that gives cause for concern can be frozen: money may still arrive, but none leaves until the question is answered.',
      ],
    },
    {
      heading: 'What draws attention',
      paragraphs: ['None of these is a crime, and each of them is a reason for a person to look.'],
      list: [
        {
          term: 'In and straight out',
          text: 'Money that arrives and leaves again the same day, in nearly the same amount.',
        },
        { term: 'Many small for one large', text: 'A sum cut into pieces that have no reason to be pieces.' },
        {
          term: 'A story that does not fit',
          text: 'Amounts that have nothing to do with what the account was opened for.',
        },
        {
          term: 'Somebody else’s hand',
          text: 'A new password, a new address and a large transfer within one hour.',
        },
      ],
    },
    {
      heading: 'What we keep',
      paragraphs: [
        'Every entry of the books, and every act of a customer or an administrator on an account, in a log whose records are chained so that none can be altered or removed without the break showing. What the law asks for, we hand to those whom the law names, and to nobody else.',
      ],
    },
    {
      heading: 'What we ask of you',
      paragraphs: [
        'Do not receive or pass on money for other people, however kind the explanation. If somebody has asked you to, write to the Help Desk first; you will be helped, not blamed.',
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
    title: 'Coverage',
    description: 'Where and how Larkspur Bank serves its customers, and what protects deposits.',
    heading: 'Where we serve, and what protects your money',
    lead: 'One house on Meadow Row, one site for everybody else, and transfers to banks in 19 countries.',
    figures: [
      { value: '42', label: 'listed banks, and any other you name' },
      { value: '19', label: 'countries they are in' },
      { value: 'US dollars', label: 'in every account' },
      { value: '$0.00', label: 'what all the books add up to, at any moment' },
    ],
    sections: [
      {
        heading: 'How',
        paragraphs: [
          'Everything that an account can do, it does on this site: on a small telephone as well as on a desk, with a keyboard alone, read aloud, or in the dark. When a page cannot answer, a person at the Help Desk does.',
        ],
      },
      {
        heading: 'Where',
        paragraphs: [
          `You can apply, log in and send money from any browser, at any hour. Our address is ${bank.address}. Accounts are kept in US dollars.`,
          'Transfers go to every Larkspur account at once, and to 42 listed banks in 19 countries, or any other bank you name, in 3–7 business days.',
        ],
      },
      {
        heading: 'Nineteen countries',
        paragraphs: [
          'The 42 listed banks are in these countries. For a bank anywhere else you type its name yourself.',
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
      {
        heading: 'Protection',
        paragraphs: [
          'Every movement is an entry with two sides that must balance, and the database itself refuses to change or delete one. No account can be spent below zero. Money on its way to another bank rests in a clearing account until it arrives; if it is returned, it comes back to you, and you see it come.',
          'The whole of the books can be added up at any moment and must come to zero. The log of who did what is a chain: no record of it can be altered or removed without the break showing.',
        ],
      },
      {
        heading: 'What we do not claim',
        paragraphs: [
          'No page of this site says that a deposit insurance scheme stands behind an account, and none should be read as if it did. Where there is one, its name and its limit belong here, and not into a footnote.',
        ],
      },
    ],
    next: [
      { to: '/methods', label: 'Ways to pay' },
      { to: '/about', label: 'About the bank' },
    ],
  },
  '/benefits': {
    picture: benefits,
    title: 'Benefits',
    description: 'What a Larkspur account brings: exact figures, free transfers, and a person who answers.',
    heading: 'What an account brings',
    lead: 'No tiers and no points. One kind of account, and these are its habits.',
    figures: [
      { value: '$0.00', label: 'for every transfer' },
      { value: 'At once', label: 'between Larkspur accounts' },
      { value: '24–48 hours', label: 'from application to answer' },
      { value: 'One press', label: 'hides the balance on a train' },
    ],
    sections: [
      {
        heading: 'Clear figures',
        paragraphs: [
          'The balance, what you sent and what you received stand on one page. Every movement has a reference, a date and a state: completed, pending or failed, and a failed one says that the money came back.',
        ],
      },
      {
        heading: 'No fee',
        paragraphs: [
          'Sending money costs $0.00, inside the bank and to other banks. Before you send to a Larkspur account you see the holder’s name, so that a wrong digit is found while it is still only a wrong digit.',
        ],
      },
      {
        heading: 'Nothing to overdraw',
        paragraphs: [
          'No account can be spent below zero, so there is no overdraft, and no fee for one. A transfer that your balance does not cover is refused before anything moves, in a sentence that says so.',
        ],
      },
      {
        heading: 'Doors that close',
        paragraphs: [
          'A number that you choose and a code that only you receive; five wrong tries close the login for a quarter of an hour, and a mail tells you. A session ends within the hour, or when you have been away for a quarter of one. Changing the password ends every other session at once.',
        ],
      },
      {
        heading: 'Your hand on it',
        paragraphs: [
          'Money in, money out, a transfer settled or returned, a new password: you are told, while you look, without reloading. You can hide the balance with one press, change your details yourself, and close the account yourself when it is empty.',
        ],
      },
      {
        heading: 'Any screen, any eyes',
        paragraphs: [
          'The same pages on a telephone and on a desk, by day and by night, at twice the size, with a keyboard alone or read aloud. There is nothing to install and nothing to update.',
        ],
      },
      {
        heading: 'Somebody to ask',
        paragraphs: [
          'The Help Desk reads the same books you see. Give it a reference number, and its answer begins with your transfer and not with a menu.',
        ],
      },
    ],
    next: [
      { to: '/register', label: 'Apply Now' },
      { to: '/methods', label: 'Ways to pay' },
      { to: '/coverage', label: 'What protects your money' },
    ],
  },
  '/methods': {
    picture: methods,
    title: 'Methods',
    description: 'Ways to pay in, pay out and send money with a Larkspur account.',
    heading: 'Paying in, paying out, sending',
    lead: 'Three ways for money to move, how long each takes, and what you see meanwhile.',
    figures: [
      { value: 'At once', label: 'to and from Larkspur accounts' },
      { value: '3–7 days', label: 'to other banks, business days' },
      { value: '$0.00', label: 'either way' },
      { value: '42', label: 'banks to pick from a list' },
    ],
    sections: [
      {
        heading: 'In',
        paragraphs: [
          'Give your 12-digit account number to another Larkspur customer and the money is there when they press the button. The bank itself can credit an account too; the entry then reads Admin Credit.',
        ],
      },
      {
        heading: 'Within the bank',
        paragraphs: [
          'An Internal Transfer is immediate and final. Type the number, read the holder’s name, enter the amount, send. The last digit of every account number is a check on the others, so most slips are caught before anything is asked of the bank.',
        ],
      },
      {
        heading: 'To other banks',
        paragraphs: [
          'An External Transfer leaves your balance at once and takes 3–7 business days to arrive. Until then it is pending; afterwards it is completed or, when the other bank sends it back, failed, with the money returned to your account.',
        ],
      },
      {
        heading: 'Side by side',
        paragraphs: [],
        list: [
          { term: 'To Larkspur', text: 'At once, final, $0.00. You see the holder’s name before you send.' },
          {
            term: 'To one of 42 listed banks',
            text: '3–7 business days, $0.00. You choose the bank and type the account.',
          },
          { term: 'To any other bank', text: '3–7 business days, $0.00. You type the bank’s name as well.' },
          {
            term: 'From another Larkspur customer',
            text: 'At once. A notification tells you, without reloading.',
          },
        ],
      },
    ],
    next: [
      { to: '/resources/three-to-seven-days', label: 'One transfer, day by day' },
      { to: '/coverage', label: 'Where we serve' },
      { to: '/benefits', label: 'What an account brings' },
    ],
  },
  '/privacy-policy': privacy,
  '/private-policy': privacy,
  '/terms-and-conditions': {
    picture: policies,
    title: 'Terms and conditions',
    description: 'What you may expect of Larkspur Bank, and what it expects of you.',
    heading: 'Terms and conditions',
    lead: 'What you may expect of us, what we expect of you, and what an account may and may not be used for.',
    sections: [
      {
        heading: 'Who may open an account',
        paragraphs: [
          'You must be 18 or older. One account is held per individual. A minimum balance requirement may apply to an account.',
          'Every application is read by a person and answered within 24–48 hours. What you tell us in it must be true.',
        ],
      },
      {
        heading: 'What you keep to yourself',
        paragraphs: [
          'Your password and the codes we send. We never ask for either by telephone, email or message. If you think somebody knows them, change the password; every other session ends at once.',
        ],
      },
      {
        heading: 'Sending money',
        paragraphs: [
          'You can send what your balance holds, and not more. A transfer to another Larkspur account is final when it is made. A transfer to another bank leaves your balance at once and arrives in 3–7 business days; if the other bank returns it, the whole amount comes back to you. Sending costs $0.00.',
          'You are responsible for the account number you type. For an account here we show you the holder’s name first; for another bank we cannot.',
        ],
      },
      {
        heading: 'What you see is what holds',
        paragraphs: [
          'The balance and the list of transactions on this site are the bank’s own books. If you find an error in them, write to the Help Desk with the reference number; we answer with the entries, and correct an error by a new entry that says so.',
        ],
      },
      {
        heading: 'What the bank may do',
        paragraphs: [
          'Freeze an account while a question about it is open, return a transfer that another bank has refused, and close an account that is used against the law. An account you close yourself must be empty, with nothing pending.',
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
