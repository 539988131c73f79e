/** Texts of the home page that the specification fixes. */
export const heroCta = 'Explore Our Services';
export const heroApply = 'Apply Now';
export const why = [
  'Secure Banking',
  'Personalized Loan Options',
  'Mortgage Solutions',
  '24/7 Customer Support',
] as const;
export const viewAll = 'View all';
export const filters = [
  'all',
  'Account Management',
  'Guides',
  'Loans & Mortgages',
  'Credit Cards',
  'Savings & Investments',
  'Security & Fraud Prevention',
] as const;
