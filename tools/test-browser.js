// Runs test/browser: the built dashboard in Debian's Chromium, or in the browser of CHROMIUM. It prefers the headless shell, which
// takes two thirds of the time. Without a browser it skips the suites, or fails with CI=true.
// To run some suites: `npm run test:browser -- test/browser/keys`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const chromium = process.env.CHROMIUM || INSTALLED.find(existsSync);
if (chromium === undefined || !existsSync(chromium)) {
  const where = chromium ?? INSTALLED.join(' or ');
  console.log(
    `Skipped: no browser at ${where}. Install Debian's chromium-headless-shell, or set CHROMIUM to the path of a browser.`,
  );
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const given = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/jest/bin/jest.js',
    '--testTimeout=300000',
    ...(given.some((word) => !word.startsWith('-')) ? given : ['test/browser', ...given]),
  ],
  { stdio: 'inherit', env: { JEST_MAX_WORKERS: '2', ...process.env, CHROMIUM: chromium, TEST_BROWSER: 'yes' } },
);
process.exit(status ?? 1);
