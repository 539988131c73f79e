/** The authors and hosts, all invented, with what a byline needs. */
import ilse from '../art/author-ilse.svg';
import jonas from '../art/author-jonas.svg';
import maren from '../art/author-maren.svg';
import tomas from '../art/author-tomas.svg';

export const memberNames = {
  'maren-holloway': { name: 'Maren Holloway', desk: 'Loans and mortgages', portrait: maren },
  'tomas-adeyemi': { name: 'Tomas Adeyemi', desk: 'Payments and accounts', portrait: tomas },
  'ilse-varga': { name: 'Ilse Varga', desk: 'Security', portrait: ilse },
  'jonas-whitlow': { name: 'Jonas Whitlow', desk: 'Businesses and savings', portrait: jonas },
} as const;

export type MemberSlug = keyof typeof memberNames;
