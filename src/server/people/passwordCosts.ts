/**
 * The cost of a password hash (argon2id); memory in KiB. A customer's numeric password is protected by the pepper
 * (`passwords.ts`) more than by the cost, an administrator's password by both. Most server tests use `tests/passwordCosts.ts`
 * instead.
 */
export const passwordCosts = {
  customer: { memoryCost: 47_104, timeCost: 1, parallelism: 1 },
  admin: { memoryCost: 65_536, timeCost: 3, parallelism: 1 },
} as const;
