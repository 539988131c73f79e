/** Texts and figures of the Businesses & Institutions page; the brochure uses them too. */

export const businessText = {
  page: {
    title: 'Businesses & Institutions',
    description:
      'Six loans for firms and institutions, each with its figures: working capital, equipment, growth, harvests, vehicles and schools.',
    card: 'business',
  },
  heading: 'Room to grow, under one roof.',
  lead: 'Loans for firms of one and institutions of thousands. You get terms on paper and one banker who has read your books.',
  seeLoans: 'See the loans',
  areas: [
    { title: 'Working money', text: 'For the weeks between paying your suppliers and being paid.' },
    { title: 'Things that last', text: 'Machines, vans and roofs, paid for over the years they serve.' },
    { title: 'Seasons', text: 'Farms and schools have years of their own. Repayments follow them.' },
    {
      title: 'Institutions',
      text: 'Schools, cooperatives and public bodies, with the figures their boards ask for.',
    },
  ],
  areasLabel: 'What we do for firms',
  loans: {
    title: 'Six loans, each with its numbers',
    note: 'Yearly rates from the figure shown; yours is in the offer.',
    rateFrom: 'From',
    rateNote: 'a year',
    upTo: 'Up to',
    term: 'Term',
    items: [
      {
        title: 'Working capital',
        text: 'For the weeks between paying your suppliers and being paid.',
        rate: '15%',
        upTo: '$50 million',
        term: '12 months',
      },
      {
        title: 'Equipment financing',
        text: 'The machine pays for itself; this is how it starts.',
        rate: '18%',
        upTo: '$100 million',
        term: '36 months',
      },
      {
        title: 'SME growth',
        text: 'A second shop, a tenth colleague, a first export.',
        rate: '16%',
        upTo: '$25 million',
        term: '24 months',
      },
      {
        title: 'Agricultural',
        text: 'Repaid when the crop is in, not on the first of the month.',
        rate: '12%',
        upTo: '$75 million',
        term: 'Seasonal',
      },
      {
        title: 'Commercial vehicle',
        text: 'Vans, trucks and the odd refrigerated trailer.',
        rate: '17%',
        upTo: '$40 million',
        term: '48 months',
      },
      {
        title: 'Educational institution',
        text: 'Roofs, laboratories and the long view they need.',
        rate: '14%',
        upTo: '$150 million',
        term: '60 months',
      },
    ],
  },
  steps: {
    title: 'From first talk to first dollar',
    items: [
      {
        title: 'Tell us what for',
        text: 'Half an hour with a lender, in person or by telephone. Bring questions rather than forms.',
      },
      {
        title: 'Send the papers',
        text: 'Two years of accounts, the registration, and a plan that fits on a page.',
      },
      {
        title: 'Read the offer',
        text: 'Amount, term, rate and every payment by date. Nothing is in a footnote.',
      },
      {
        title: 'Sign and draw',
        text: 'Once both names are on the page, the money is yours to draw.',
      },
    ],
  },
  reasons: {
    title: 'Why firms stay',
    items: [
      {
        title: 'A lender who visits',
        text: 'They have stood in your workshop before your name reaches a file.',
      },
      { title: 'Seasons count', text: 'Repayments follow your harvest, your term or your December.' },
      { title: 'One set of books', text: 'What you see is what we see, to the cent, at any hour.' },
      { title: 'An answer with a date', text: 'Yes or no by the day we name, and the reasons either way.' },
    ],
  },
  ask: {
    title: 'Bring us the plan on the back of the envelope',
    text: 'We will tell you what it costs, what it needs, and whether we would do it.',
    subject: 'A meeting about a business loan',
    message: 'I would like to meet somebody about: \nThe amount we have in mind: \nDays that suit us: ',
  },
  brochure: '/larkspur-business-brochure.pdf',
} as const;
