// Runs the suites against a real PostgreSQL instead of the embedded one, and those that need a Redis or Valkey:
// TEST_DATABASE_URL and TEST_REDIS_URL, or the standard local ports. Where one does not answer it says so and skips what
// needs it; with CI=true that is a failure.
import { spawnSync } from 'node:child_process';
import { createClient } from '@redis/client';
import pg from 'pg';

const url = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const redisUrl = process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379';
const inCi = process.env.CI === 'true';
const why = await reach(url);
if (why !== null) {
  console.log(`Skipped: no PostgreSQL at ${new URL(url).host} (${why}). Set TEST_DATABASE_URL to one.`);
  process.exit(inCi ? 1 : 0);
}
const whyNoRedis = await reachRedis(redisUrl);
if (whyNoRedis !== null) {
  console.log(
    `Skipped what needs Redis: none at ${new URL(redisUrl).host} (${whyNoRedis}). Set TEST_REDIS_URL to one.`,
  );
  if (inCi) process.exit(1);
}
const suites = [
  'test/contract',
  'test/database',
  'test/changes',
  'test/keys',
  'test/stats',
  'test/quota',
  'test/redis',
  'test/cluster',
  'test/operators',
  'test/events',
  'test/scheduler',
  'test/audit',
  'test/cli/doctor',
];
const given = process.argv.slice(2);
const wanted = given.some((word) => !word.startsWith('-')) ? given : [...suites, ...given];
const { status } = spawnSync(process.execPath, ['node_modules/jest/bin/jest.js', ...wanted], {
  stdio: 'inherit',
  env: {
    // A server as its package sets it up takes 100 connections.
    JEST_MAX_WORKERS: '2',
    ...process.env,
    TEST_DATABASE_URL: url,
    TEST_REDIS_URL: whyNoRedis === null ? redisUrl : '',
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

async function reachRedis(address) {
  const client = createClient({ url: address, socket: { connectTimeout: 3000, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return null;
  } catch (error) {
    return error.code ?? error.message;
  } finally {
    client.destroy();
  }
}
