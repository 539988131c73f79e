/**
 * Low costs of password hashes, which `vitest.config.ts` gives to the server tests: with the real ones, hashing took half of
 * the CPU time of those with many logins. `src/server/people/passwords.test.ts` and tests that start a server process have the
 * real ones.
 */
const low = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

/** A test in which a hash must take long raises them until it ends. */
export const passwordCosts = { customer: { ...low }, admin: { ...low } };
