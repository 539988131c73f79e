import { defineConfig } from 'vitest/config';
import { vitestReporter } from './scripts/test/vitestReporter.ts';

// Two cores carry the database and the faults too; more files at once only wait for each other.
const maxWorkers = 2;
// Only a test that hangs takes so long, also on a machine that is busy with other work; a wait in it ends sooner.
const patient = { testTimeout: 300_000, hookTimeout: 300_000 };
const page = { ...patient, environment: 'jsdom', maxWorkers };

export default defineConfig({
  test: {
    teardownTimeout: 120_000,
    // `npm test` writes a line for every test to a file, and shows the progress itself.
    reporters: process.send ? ['verbose', vitestReporter] : ['default'],
    projects: [
      {
        test: {
          name: 'contract',
          include: ['src/contract/**/*.test.ts', 'tests/*.test.ts'],
          ...patient,
          maxWorkers,
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
          ...patient,
          maxWorkers,
          // To load the server again costs a second a file.
          isolate: false,
        },
      },
      {
        test: {
          ...page,
          name: 'web',
          include: ['src/web/{app,bank,features,site,ui}/**/*.test.ts'],
          setupFiles: ['tests/page.ts'],
          // One page for many files: to make one costs more than all of a file's tests.
          isolate: false,
        },
      },
      {
        test: {
          ...page,
          name: 'screens',
          // What lives as long as a page (a session, a library's frames) is in a page of its own.
          include: ['src/web/base/**/*.test.ts', 'src/web/**/*.test.tsx'],
          setupFiles: ['tests/screen.ts'],
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          // Many rounds of killing and recovering.
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
