/**
 * The cost of a password hash (argon2id); memory in KiB. A customer's numeric password relies on the pepper, an administrator's
 * also on the cost. Server tests in one process use `tests/passwordCosts.ts` instead.
 */
export const passwordCosts = {
  customer: { memoryCost: 47_104, timeCost: 1, parallelism: 1 },
  admin: { memoryCost: 65_536, timeCost: 3, parallelism: 1 },
} as const;
