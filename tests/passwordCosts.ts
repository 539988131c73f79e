/**
 * Low costs of password hashes, which `vitest.config.ts` gives to the server tests. With the real costs, hashing took half of
 * the CPU time of tests with many logins. `src/server/people/passwords.test.ts` and tests that start a server process use the
 * real costs.
 */
const low = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

/** A test that needs slow hashes raises these costs until it ends. */
export const passwordCosts = { customer: { ...low }, admin: { ...low } };
