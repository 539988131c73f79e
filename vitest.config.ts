import { defineConfig } from 'vitest/config';

// Two cores also run the database and the fault tests; more parallel files would only wait for each other.
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
          // Loading the server again would add a second to each file.
          isolate: false,
        },
      },
      {
        test: {
          ...page,
          name: 'web',
          include: ['src/web/{app,bank,features,site,ui}/**/*.test.ts'],
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
