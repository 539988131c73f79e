/**
 * The cost of a password hash (argon2id); memory in KiB. The pepper protects a customer's numeric password. An administrator's
 * password is also protected by the cost. Server tests in one process use `tests/passwordCosts.ts` instead.
 */
export const passwordCosts = {
  customer: { memoryCost: 47_104, timeCost: 1, parallelism: 1 },
  admin: { memoryCost: 65_536, timeCost: 3, parallelism: 1 },
} as const;
