// Runs the suites against a real PostgreSQL instead of the embedded one: TEST_DATABASE_URL, or the standard local port.
// Where none answers it says so and skips; with CI=true that is a failure.
import { spawnSync } from 'node:child_process';
import pg from 'pg';

const url = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const why = await reach(url);
if (why !== null) {
  console.log(`Skipped: no PostgreSQL at ${new URL(url).host} (${why}). Set TEST_DATABASE_URL to one.`);
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const suites = [
  'test/contract',
  'test/database',
  'test/changes',
  'test/keys',
  'test/stats',
  'test/quota',
  'test/cluster',
  'test/operators',
  'test/events',
  'test/scheduler',
  'test/audit',
  'test/cli',
];
const { status } = spawnSync(process.execPath, [...jest, ...suites, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: url },
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
