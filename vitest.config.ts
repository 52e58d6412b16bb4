import { defineConfig } from 'vitest/config';

// `unit` needs nothing outside the process; `servers` needs PostgreSQL (and Redis where there is one),
// which test/support/servers.ts starts once for the whole run on free ports; `browser` needs a built designer besides.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Milliseconds on an idle machine; a busy one must not fail them.
          testTimeout: 60_000,
          // Loading the modules anew for each file took half of the time of all these tests. None of them may leave anything behind.
          isolate: false,
          setupFiles: ['./test/support/fixed-seed.ts'],
          include: [
            'packages/{dag-core,tool-sdk,api,telemetry}/test/**/*.test.ts',
            'apps/*/test/unit/**/*.test.ts',
            'test/unit/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'servers',
          // As for the unit tests: loading took a seventh of all the time. What a test keeps is in a database and processes of its own.
          isolate: false,
          include: [
            'packages/{run-store,queue}/test/**/*.test.ts',
            'apps/*/test/servers/**/*.test.ts',
            'test/{journeys,faults}/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
          globalSetup: ['./test/support/servers.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Milliseconds on an idle machine; a busy one must not fail them.
          expect: { poll: { timeout: 60_000 } },
          // After the unit tests. Most of their time is waiting for leases to pass, processes to start and servers to come back.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          // Real servers are stopped and started on a machine that others may be using. A test that needed its second try says so.
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        test: {
          name: 'browser',
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['./test/support/servers.ts', './test/browser/support/prepare.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          sequence: { groupOrder: 2 },
          maxWorkers: 2,
          retry: process.env.CI ? 1 : 0,
        },
      },
    ],
  },
});
