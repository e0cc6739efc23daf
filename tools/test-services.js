// Runs the suites against a real PostgreSQL server instead of the embedded one: TEST_DATABASE_URL or the standard local port.
// Without a server it skips them, or fails with CI=true.
import { spawnSync } from 'node:child_process';
import pg from 'pg';

const url = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const inCi = process.env.CI === 'true';
const unreachableReason = await reach(url);
if (unreachableReason !== null) {
  console.log(
    `Skipped: no PostgreSQL at ${new URL(url).host} (${unreachableReason}). Set TEST_DATABASE_URL to the URL of a server.`,
  );
  process.exit(inCi ? 1 : 0);
}
const suites = [
  'test/platform/database',
  'test/platform/changes',
  'test/keys',
  'test/stats',
  'test/quota',
  'test/upstream/routing/objects',
  'test/costs',
  'test/auth/operators',
  'test/scheduler',
  'test/audit',
];
const given = process.argv.slice(2);
const selected = given.some((word) => !word.startsWith('-')) ? given : [...suites, ...given];
const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...selected], {
  stdio: 'inherit',
  env: {
    // By default, a server accepts only 100 connections.
    JEST_MAX_WORKERS: '2',
    ...process.env,
    TEST_DATABASE_URL: url,
  },
});
process.exit(status ?? 1);

async function reach(connectionString) {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3000 });
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    return error.code ?? error.message;
  }
}
