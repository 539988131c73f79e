/** Texts of the home page's lower half, which is loaded when the reader scrolls near it. */

export const homeRestText = {
  events: {
    title: 'Free events, every month',
  },
  reach: {
    title: 'From your kitchen table to 19 countries',
    lead: 'Pick the bank from a list of 42, or type the name of any other bank. The money leaves your account right away and arrives in 3–7 business days.',
    mapLabel: 'World map: the 19 countries with listed banks are marked',
    listLabel: 'Countries with listed banks',
    idle: 'Choose a country',
    idleNote: 'The purple ones have banks on our list.',
    listed: 'On our list. Money arrives in 3–7 business days.',
    unlisted: 'Not on our list. You type the bank’s name yourself.',
  },
  resources: {
    title: 'Worth knowing before you sign',
    intro: [
      'We write these articles ourselves. Each one answers a question that people ask the Help Desk.',
      'We give no advice that we wouldn’t give our own family, and we don’t sell anything here. Where the honest answer is “don’t,” we say so.',
      'There are 14 articles. Pick a topic, or read them all. Each takes about two minutes.',
    ],
    filterLabel: 'Filter the articles',
    listLabel: 'Articles',
    pagesLabel: 'Pages of articles',
    pageLabel: (page: number, pages: number) => `Page ${page} of ${pages}`,
    pause: 'Pause',
    play: 'Play',
  },
  write: {
    title: 'Write to us',
    lead: 'If your question is about a transfer, please include its reference number.',
  },
} as const;

/** Countries with listed banks: ISO 3166 numeric code as in the map file, and name. */
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
