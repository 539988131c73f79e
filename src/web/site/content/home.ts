/** The home page's own words. What the specification words itself comes from the contract's messages. */
import { messages } from '#contract/messages.ts';
import loans from '../art/spot-loans.svg';
import mortgage from '../art/spot-mortgage.svg';
import secure from '../art/spot-secure.svg';
import support from '../art/spot-support.svg';

const [secureTitle, loansTitle, mortgageTitle, supportTitle] = messages.home.why;

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
        text: 'Six digits or more that you choose, a code we send, and a session that closes behind you. Every change to your account writes a line that nobody can erase, us included.',
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
  reach: {
    title: 'From your kitchen table to 19 countries',
    lead: 'Pick the bank from a list of 42, or type the name of any other. The money leaves at once and arrives in 3–7 business days; you see each step.',
    mapLabel: 'World map: the 19 countries with listed banks are marked',
    listLabel: 'Countries with listed banks',
    idle: 'Point at a country',
    idleNote: 'The violet ones have banks on our list.',
    listed: 'On our list. Money arrives in 3–7 business days.',
    unlisted: 'Not on our list: you type the bank’s name yourself.',
  },
  services: {
    title: 'What the bank does',
    intro: [
      'An account here is one number, one balance and a page that adds up. You open it on this site; a person reads your application, and within 24–48 hours it is yours to use.',
      'Money moves in two ways. To another Larkspur customer it arrives at once. To any other bank it takes 3–7 business days, and you see it wait, settle or come back.',
      'What needs a conversation, a card, a loan, a house, begins with one message to the Help Desk and stays with the person who answers it.',
    ],
    items: [
      {
        title: 'Everyday banking',
        text: 'A balance to the cent, every movement in order, and a search that finds it.',
        to: '/benefits',
        link: 'What an account brings',
      },
      {
        title: 'Transfers',
        text: 'To Larkspur at once, to 42 listed banks or any other you name in 3–7 business days. The fee is $0.00.',
        to: '/methods',
        link: 'Ways to pay',
      },
      {
        title: 'Credit cards',
        text: 'We ask what it is for first. Limit, rate and due day stand on one page before you say yes.',
        to: '/contact',
        link: 'Ask about a card',
      },
      {
        title: 'Loans and mortgages',
        text: 'Equal payments, counted out to the last one, so that the end date is never a surprise.',
        to: '/contact',
        link: 'Ask about a loan',
      },
      {
        title: 'Businesses and institutions',
        text: 'Working capital, equipment, vehicles, harvests and schools, each on its own terms.',
        to: '/business',
        link: 'For businesses',
      },
    ],
  },
  write: {
    title: 'Write to us',
    lead: 'If your question is about a transfer, the reference number saves us both a letter.',
  },
} as const;

/** Countries with listed banks: ISO 3166 numeric code, as in the map file, and name. */
export const listedCountries = [
  { code: '036', name: 'Australia' },
  { code: '076', name: 'Brazil' },
  { code: '124', name: 'Canada' },
  { code: '156', name: 'China' },
  { code: '208', name: 'Denmark' },
  { code: '250', name: 'France' },
  { code: '276', name: 'Germany' },
  { code: '380', name: 'Italy' },
  { code: '392', name: 'Japan' },
  { code: '528', name: 'Netherlands' },
  { code: '566', name: 'Nigeria' },
  { code: '702', name: 'Singapore' },
  { code: '710', name: 'South Africa' },
  { code: '724', name: 'Spain' },
  { code: '752', name: 'Sweden' },
  { code: '756', name: 'Switzerland' },
  { code: '784', name: 'United Arab Emirates' },
  { code: '826', name: 'United Kingdom' },
  { code: '840', name: 'United States' },
] as const;
