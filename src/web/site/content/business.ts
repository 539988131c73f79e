/** Texts and figures of the Businesses & Institutions page; the brochure uses them too. */

export const businessText = {
  page: {
    title: 'Businesses & Institutions',
    description:
      'Six loans for businesses and institutions, each with its numbers: working capital, equipment, growth, farming, vehicles and schools.',
    card: 'business',
  },
  heading: 'Room to grow, under one roof.',
  lead: 'Loans for businesses and institutions of any size. You get the terms in writing and one lender who has read your books.',
  seeLoans: 'See the loans',
  areas: [
    {
      title: 'Cash flow',
      text: 'Payroll, rent and inventory, paid on time while you wait for your customers.',
    },
    { title: 'Equipment', text: 'Machines, vans and roofs, paid off over the years you use them.' },
    {
      title: 'Seasonal business',
      text: 'Farms and schools have their own calendar. Your payments follow it.',
    },
    {
      title: 'Institutions',
      text: 'Schools, cooperatives and public agencies, with the numbers their boards ask for.',
    },
  ],
  areasLabel: 'What we do for businesses',
  loans: {
    title: 'Six loans, each with its numbers',
    note: 'These are the lowest rates. You’ll find your own rate in our offer.',
    rateFrom: 'From',
    rateNote: 'a year',
    upTo: 'Up to',
    term: 'Term',
    items: [
      {
        title: 'Working capital',
        text: 'For the weeks between paying your suppliers and getting paid.',
        rate: '15%',
        upTo: '$50 million',
        term: '12 months',
      },
      {
        title: 'Equipment financing',
        text: 'For machines that earn back what they cost.',
        rate: '18%',
        upTo: '$100 million',
        term: '36 months',
      },
      {
        title: 'SME growth',
        text: 'A second store, a tenth employee, a first export.',
        rate: '16%',
        upTo: '$25 million',
        term: '24 months',
      },
      {
        title: 'Agricultural',
        text: 'You pay when the harvest is in, not on the first of the month.',
        rate: '12%',
        upTo: '$75 million',
        term: 'Seasonal',
      },
      {
        title: 'Commercial vehicle',
        text: 'Vans, trucks and refrigerated trailers.',
        rate: '17%',
        upTo: '$40 million',
        term: '48 months',
      },
      {
        title: 'Educational institution',
        text: 'Roofs, laboratories and other long-term projects.',
        rate: '14%',
        upTo: '$150 million',
        term: '60 months',
      },
    ],
  },
  steps: {
    title: 'How to apply',
    items: [
      {
        title: 'Talk to a lender',
        text: 'It takes half an hour, in person or by phone. Tell us what you need the money for. You don’t fill in any forms yet.',
      },
      {
        title: 'Send your documents',
        text: 'Two years of financial statements, your business registration, and a one-page plan.',
      },
      {
        title: 'Read the offer',
        text: 'It lists the amount, term, rate and every payment by date. There are no footnotes.',
      },
      {
        title: 'Sign',
        text: 'Once we have both signed, we pay out the loan.',
      },
    ],
  },
  reasons: {
    title: 'Why businesses choose us',
    items: [
      {
        title: 'A lender who visits',
        text: 'Invite your lender to your workshop before you apply.',
      },
      { title: 'Payments that fit', text: 'They follow your harvest, semester or holiday season.' },
      { title: 'The same numbers', text: 'You see what we see, to the cent, at any hour.' },
      { title: 'An answer by a date', text: 'You get a yes or no by the date we promise, with our reasons.' },
    ],
  },
  ask: {
    title: 'Bring us your plan, even on the back of an envelope',
    text: 'We’ll tell you what it costs, what it needs, and whether we would lend you the money.',
    subject: 'A meeting about a business loan',
    message: 'I would like to meet a lender about: \nThe amount we have in mind: \nDays that work for us: ',
  },
  brochure: '/larkspur-business-brochure.pdf',
} as const;
