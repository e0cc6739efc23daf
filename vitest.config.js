import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import LongestFirst from './tools/longest-first.js';
// Also for this process, which loads the global set-up.
import './tools/typescript-hook.js';

const TYPESCRIPT = new URL('./tools/typescript-hook.js', import.meta.url).href;

export default defineConfig({
  test: {
    include: ['test/**/*.spec.ts'],
    exclude: [
      // These need a browser and a built page: `npm run test:browser`.
      ...(process.env.TEST_BROWSER === undefined ? ['test/browser/**'] : []),
      // These need packages that `npm run test:frameworks` and `npm run test:clients` install.
      ...(process.env.TEST_CLIENTS === undefined ? ['test/clients/**'] : ['**/node_modules/**']),
    ],
    globalSetup: './test/support/global-setup.ts',
    // Unless it is to be another in each run (`npm test -- --sequence.shuffle`).
    sequence: process.argv.some((word) => word.startsWith('--sequence')) ? {} : { sequencer: LongestFirst },
    reporters: ['default', './tools/totals-reporter.js'],
    // The sources are loaded by Node itself, once in a process that runs many specs: loading them for each took half the time.
    pool: 'forks',
    isolate: false,
    experimental: { viteModuleRunner: false },
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', TYPESCRIPT, '--import', 'reflect-metadata'],
    // Much of the suite waits: for limits of time, for processes to start.
    maxWorkers: Math.max(5, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
