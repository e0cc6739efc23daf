import { availableParallelism } from 'node:os';
// Also for this process, which loads the global setup.
import './tools/typescript-hook.js';

export default {
  runner: './tools/jest/runner.js',
  testSequencer: './tools/jest/sequencer.js',
  reporters: ['default', './tools/jest/totals-reporter.js'],
  // Node loads the sources, so jest transforms nothing.
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
    // Run only if the command names them, as `npm run test:slow` does.
    ...(process.argv.some((word) => word.includes('test/slow')) ? [] : ['<rootDir>/test/slow/']),
    // test/slow/project/runner runs these with this file's options and another setup. Some of them must fail.
    '<rootDir>/test/slow/project/runner/fixtures/',
  ],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Much of the suite waits for timeouts and for processes to start, so it can use more workers than cores.
  maxWorkers: Number(process.env.JEST_MAX_WORKERS) || Math.max(5, availableParallelism()),
  // Only ends a hang, because any machine can be slow.
  testTimeout: 300_000,
  // Promises must settle while the fake clock is stopped.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  haste: { enableSymlinks: false },
  watchman: false,
};
