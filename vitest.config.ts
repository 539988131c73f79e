import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { vitestReporter } from './scripts/test/vitestReporter.ts';

// Two cores also run the database and the fault tests; more parallel files would only wait for each other.
const maxWorkers = 2;
// Only a test that hangs takes this long, even on a busy machine; waits inside tests have shorter limits.
const longTimeouts = { testTimeout: 300_000, hookTimeout: 300_000 };
/** Proves the costs of password hashes, which are low in other server tests. `npm run check` leaves it out too. */
const withRealHashes = ['src/server/people/passwords.test.ts'];
/** Tests that run npm, the build and the test runner. They take most of a minute, so `npm run check` leaves them out. */
const ofPrograms = ['buildLock', 'dev', 'oldBuild', 'packages', 'setup', 'testRun'].map(
  name => `tests/${name}.test.ts`,
);
/** `npm run faults -- --rounds N`: on a busy machine a round can take minutes. */
const faultRounds = Number(process.env.FAULT_ROUNDS ?? 5);
const page = { ...longTimeouts, environment: 'jsdom', maxWorkers };

export default defineConfig({
  test: {
    teardownTimeout: 120_000,
    // `npm test` shows the progress itself and writes a line per test to a file.
    reporters: process.send ? ['verbose', vitestReporter] : ['default'],
    projects: [
      {
        test: {
          name: 'contract',
          include: ['src/contract/**/*.test.ts', 'tests/*.test.ts'],
          exclude: ofPrograms,
          ...longTimeouts,
          maxWorkers,
          isolate: false,
        },
      },
      {
        test: {
          name: 'programs and hashes',
          include: [...ofPrograms, ...withRealHashes],
          ...longTimeouts,
          maxWorkers,
          isolate: false,
        },
      },
      {
        resolve: {
          alias: [
            {
              find: /^.*\/passwordCosts\.ts$/,
              replacement: fileURLToPath(new URL('tests/passwordCosts.ts', import.meta.url)),
            },
          ],
        },
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts'],
          exclude: withRealHashes,
          globalSetup: ['tests/cluster.ts'],
          ...longTimeouts,
          maxWorkers,
          // Loading the server again would add a second to each file.
          isolate: false,
        },
      },
      {
        test: {
          ...page,
          name: 'web',
          include: ['src/web/{app,bank,features,router,site,ui}/**/*.test.ts'],
          setupFiles: ['tests/clearStorage.ts'],
          // Files share one page: creating a page takes longer than all tests of a file.
          isolate: false,
        },
      },
      {
        test: {
          ...page,
          name: 'screens',
          // Each file has its own page, because the session and some libraries keep state for the lifetime of a page.
          include: ['src/web/base/**/*.test.ts', 'src/web/**/*.test.tsx'],
          setupFiles: ['tests/screenSetup.ts'],
          // A page in a thread takes half of the CPU time of one in a process.
          pool: 'vmThreads',
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          // These tests kill and recover processes in many rounds.
          testTimeout: Math.min(Math.max(1_800_000, faultRounds * 180_000), 2 ** 31 - 1),
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
