// Runs the suites in test/browser: the built dashboard in Debian's Chromium (CHROMIUM names another one). Where there is
// no browser it says so and skips; with CI=true that is a failure. `npm run test:browser -- test/browser/keys` for some.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const chromium = process.env.CHROMIUM || '/usr/bin/chromium';
if (!existsSync(chromium)) {
  console.log(`Skipped: no browser at ${chromium}. Install Debian's chromium, or set CHROMIUM to one.`);
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const given = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    ...['node_modules/vitest/vitest.mjs', 'run', '--testTimeout=120000', '--hookTimeout=120000'],
    ...(given.some((word) => !word.startsWith('-')) ? given : ['test/browser', ...given]),
  ],
  { stdio: 'inherit', env: { VITEST_MAX_WORKERS: '2', ...process.env, CHROMIUM: chromium, TEST_BROWSER: 'yes' } },
);
process.exit(status ?? 1);
