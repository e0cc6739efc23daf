import { expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import { databaseProblem } from '../../../src/platform/database/database-problem.rules.js';

const failure = (code: string, message = '') => Object.assign(new Error(message), { code });

test.each([
  ['an unreachable host', failure('ENOTFOUND'), 'DATABASE_URL', 'PGHOST'],
  ['a closed port', failure('ECONNREFUSED'), 'DATABASE_URL', 'PGHOST or PGPORT'],
  ['a wrong password', failure('28P01'), 'DATABASE_URL', 'PGUSER or PGPASSWORD'],
  ['a missing password', failure('', 'password must be a string'), 'DATABASE_URL (postgres://', 'PGPASSWORD'],
  ['an unknown database', failure('3D000'), 'DATABASE_URL', 'PGDATABASE'],
  ['a pooler in transaction mode', failure('GW_SHARED_SESSION'), 'DATABASE_URL', 'PGHOST'],
  ['an unknown problem', failure('EOTHER'), 'DATABASE_URL', 'PGHOST and the other PG variables'],
])('the advice for %s names the variable that is set', (_what, error, inUrl, inParts) => {
  const adviceFor = (variable: 'DATABASE_URL' | 'PGHOST') =>
    databaseProblem(error, 'postgres://db/gateway', variable).advice;
  expect(adviceFor('DATABASE_URL')).toContain(` ${inUrl}`);
  expect(adviceFor('DATABASE_URL')).not.toMatch(/PG|\{/);
  expect(adviceFor('PGHOST')).toContain(` ${inParts}`);
  expect(adviceFor('PGHOST')).not.toMatch(/DATABASE_URL|\{/);
});

test('the advice for a rejected password names the settings that yield it', () => {
  const { databaseUrl } = Config.from({
    DATABASE_URL: 'postgres://gateway@db/gateway',
    GW_DATABASE_PASSWORD_FILE: '/run/password',
  });
  expect(databaseProblem(failure('28P01'), databaseUrl!).advice).toContain('GW_DATABASE_PASSWORD_FILE');
});
