/** The two kinds of people who log in. Each kind has its own credentials and sessions; no person is both. */
export type PersonKind = 'customer' | 'admin';
