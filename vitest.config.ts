import { defineConfig } from 'vitest/config';

// Two cores carry the database and the faults too; more files at once only wait for each other.
const maxWorkers = 2;
const page = { environment: 'jsdom', testTimeout: 20_000, maxWorkers };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'contract',
          include: ['src/contract/**/*.test.ts', 'tests/*.test.ts'],
          testTimeout: 60_000,
          maxWorkers,
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts'],
          globalSetup: ['tests/cluster.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
          setupFiles: ['tests/clearStorage.ts'],
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
          setupFiles: ['tests/screenTimeout.ts'],
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
