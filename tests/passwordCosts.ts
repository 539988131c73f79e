/**
 * Low costs of password hashes, which `vitest.config.ts` gives to the server tests: with the real ones, hashing took a fifth of
 * their CPU time. `src/server/people/passwords.test.ts` and the server processes of other tests have the real ones.
 */
export const passwordCosts = {
  customer: { memoryCost: 1024, timeCost: 1, parallelism: 1 },
  admin: { memoryCost: 1024, timeCost: 2, parallelism: 1 },
} as const;
