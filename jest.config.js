import { availableParallelism } from 'node:os';
// Also for this process, which loads the global set-up.
import './tools/typescript-hook.js';

export default {
  runner: './tools/jest/runner.js',
  testSequencer: './tools/jest/sequencer.js',
  reporters: ['default', './tools/jest/totals-reporter.js'],
  // Node itself loads the sources: nothing is transformed by jest.
  transform: {},
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  moduleFileExtensions: ['js', 'ts', 'json'],
  testPathIgnorePatterns: [
    '/node_modules/',
    // These need a browser and a built page: `npm run test:browser`.
    ...(process.env.TEST_BROWSER === undefined ? ['<rootDir>/test/browser/'] : []),
    // These need packages that `npm run test:frameworks` and `npm run test:clients` install.
    ...(process.env.TEST_CLIENTS === undefined ? ['<rootDir>/test/clients/'] : []),
    // test/runner runs these with this file's options and another set-up. Some have to fail.
    '<rootDir>/test/runner/fixtures/',
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Much of the suite waits: for time limits, for processes to start.
  maxWorkers: Number(process.env.JEST_MAX_WORKERS) || Math.max(5, availableParallelism()),
  testTimeout: 60_000,
  // Promises go on while time stands still.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  haste: { enableSymlinks: false },
  watchman: false,
};
