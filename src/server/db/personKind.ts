/** The two kinds of people who log in. Nobody is both: each kind has its own logins, keys and sessions. */
export type PersonKind = 'customer' | 'admin';
