/** The fourteen articles without their texts, which are in `articles/`: for cards, links, and the top of each article page. */
import accountCover from '../art/cover-account-management.svg';
import accountCover2 from '../art/cover-account-management-2.svg';
import cardsCover from '../art/cover-credit-cards.svg';
import cardsCover2 from '../art/cover-credit-cards-2.svg';
import guidesCover from '../art/cover-guides.svg';
import guidesCover2 from '../art/cover-guides-2.svg';
import loansCover from '../art/cover-loans-mortgages.svg';
import loansCover2 from '../art/cover-loans-mortgages-2.svg';
import researchCover from '../art/cover-research.svg';
import researchCover2 from '../art/cover-research-2.svg';
import savingsCover from '../art/cover-savings-investments.svg';
import savingsCover2 from '../art/cover-savings-investments-2.svg';
import securityCover from '../art/cover-security.svg';
import securityCover2 from '../art/cover-security-2.svg';
import type { MemberSlug } from './memberNames.ts';

/** The categories. All but the last have a filter button of the same name. */
export type ArticleCategory =
  | 'Account Management'
  | 'Guides'
  | 'Loans & Mortgages'
  | 'Credit Cards'
  | 'Savings & Investments'
  | 'Security & Fraud Prevention'
  | 'research';

export type ArticleCard = {
  id: number;
  slug: string;
  title: string;
  category: ArticleCategory;
  image: string;
  description: string;
  author: MemberSlug;
};

export const articleList: readonly ArticleCard[] = [
  {
    id: 1,
    slug: 'waiting-for-approval',
    title: 'What happens while an account waits for approval',
    category: 'Account Management',
    image: accountCover,
    description:
      'We usually answer an application within 24–48 hours. Here is who reads what, and what you can do in the meantime.',
    author: 'tomas-adeyemi',
  },
  {
    id: 2,
    slug: 'three-to-seven-days',
    title: 'Where a transfer is on each of its 3 to 7 days',
    category: 'Guides',
    image: guidesCover,
    description:
      'Money sent to another bank leaves right away and arrives later. We follow one transfer from start to finish.',
    author: 'tomas-adeyemi',
  },
  {
    id: 3,
    slug: 'payment-schedule',
    title: 'Reading a payment schedule, line by line',
    category: 'Loans & Mortgages',
    image: loansCover,
    description: 'Why the first payments hold the most interest, and what an extra $50 a month changes.',
    author: 'maren-holloway',
  },
  {
    id: 4,
    slug: 'three-months-of-expenses',
    title: 'Three months of expenses, started with $20',
    category: 'Savings & Investments',
    image: savingsCover,
    description: 'An emergency fund needs a date, not willpower. Pick the day after payday.',
    author: 'jonas-whitlow',
  },
  {
    id: 5,
    slug: 'statement-day',
    title: 'The day your card’s month ends',
    category: 'Credit Cards',
    image: cardsCover,
    description:
      'The statement date and the due date are different days. Knowing both can give you weeks without interest.',
    author: 'maren-holloway',
  },
  {
    id: 6,
    slug: 'the-call-from-your-bank',
    title: 'The call that says it is from your bank',
    category: 'Security & Fraud Prevention',
    image: securityCover,
    description:
      'We never ask for a code on the phone. Five sentences that callers use, and the sentence that ends the call.',
    author: 'ilse-varga',
  },
  {
    id: 7,
    slug: 'a-new-address',
    title: 'A new address, a new name, an old phone',
    category: 'Account Management',
    image: accountCover2,
    description: 'What to change first when your life changes, so that nothing locks you out.',
    author: 'tomas-adeyemi',
  },
  {
    id: 8,
    slug: 'six-digits',
    title: 'Choosing six digits that are hard to guess',
    category: 'Guides',
    image: guidesCover2,
    description:
      'Not a birthday, not a run, not one digit six times. Three ways to choose a number you’ll remember.',
    author: 'ilse-varga',
  },
  {
    id: 9,
    slug: 'fixed-or-floating',
    title: 'Fixed or adjustable: a decision on one page',
    category: 'Loans & Mortgages',
    image: loansCover2,
    description: 'Two houses, two rates, five years. The numbers you need to decide, on one page.',
    author: 'maren-holloway',
  },
  {
    id: 10,
    slug: 'what-a-dollar-bought',
    title: 'What a dollar in a drawer still buys',
    category: 'research',
    image: researchCover,
    description: 'What 40 years of rising prices do to a dollar, in one small table.',
    author: 'jonas-whitlow',
  },
  {
    id: 11,
    slug: 'one-card-used-well',
    title: 'One card, used well',
    category: 'Credit Cards',
    image: cardsCover2,
    description: 'Why a single card, paid in full, does more for your credit than four.',
    author: 'maren-holloway',
  },
  {
    id: 12,
    slug: 'what-patience-is-worth',
    title: 'What starting early is worth, in dollars',
    category: 'Savings & Investments',
    image: savingsCover2,
    description: 'The same $100 a month, started at 25, at 35 and at 45.',
    author: 'jonas-whitlow',
  },
  {
    id: 13,
    slug: 'after-a-wrong-transfer',
    title: 'A minute after a wrong transfer',
    category: 'Security & Fraud Prevention',
    image: securityCover2,
    description: 'What to do first, what to write, and which three facts to have ready.',
    author: 'ilse-varga',
  },
  {
    id: 14,
    slug: 'the-rule-of-72',
    title: 'The rule of 72, worked out',
    category: 'research',
    image: researchCover2,
    description: 'A shortcut from 1494 for doubling times, compared with the exact numbers.',
    author: 'jonas-whitlow',
  },
];
