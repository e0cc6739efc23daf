import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { cli, cliJson } from './command.js';

const PRODUCTION = { NODE_ENV: 'production', GW_UPSTREAM_BASE_URL: 'https://provider.example/v1' };

let database: ScratchDatabase;
let folder: string;

beforeAll(async () => {
  [database, folder] = [await createScratchDatabase(), await mkdtemp(join(tmpdir(), 'gateway-migrate-'))];
  await writeFile(join(folder, 'registry.json'), '{"models": [{"id": "m", "category": "none such"}]}');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

describe.each(['migrate', 'migrate --status'])('%s checks what a gateway checks at startup', (command) => {
  test.each([
    ['an owner email without a password', () => ({ GW_OWNER_EMAIL: 'owner@example.test' }), 'GW_OWNER_PASSWORD'],
    [
      'a model registry that is invalid',
      () => ({ GW_MODEL_REGISTRY: join(folder, 'registry.json') }),
      'models[0].category',
    ],
    [
      'a model registry that is missing',
      () => ({ GW_MODEL_REGISTRY: join(folder, 'missing.json') }),
      'GW_MODEL_REGISTRY',
    ],
    ['a setting that is invalid', () => ({ GW_LOG_SAMPLE_RATE: '2' }), 'GW_LOG_SAMPLE_RATE'],
    ['a missing admin key', () => ({ GW_ADMIN_KEY: '' }), 'GW_ADMIN_KEY'],
    ['an ambiguous URL', () => ({ DATABASE_URL: 'postgres://u:pa#ss@host/gateway' }), 'DATABASE_URL is ambiguous'],
  ])('%s ends the command with code 78', async (_, settings, message) => {
    const env = { ...PRODUCTION, DATABASE_URL: database.url, ...settings() };
    const { code, stderr } = await cli(command.split(' '), { env });
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain('pa#ss');
  });
});

test.each([
  ['DATABASE_URL', { DATABASE_URL: 'postgres://127.0.0.1:1/gateway' }],
  ['PGHOST or PGPORT', { PGHOST: '127.0.0.1', PGPORT: '1', PGDATABASE: 'gateway' }],
])('the error of an unreachable database names %s, if it is set', async (variable, env) => {
  expect((await cli(['migrate', '--database-only'], { env })).stderr).toContain(`or fix ${variable}.`);
});

describe('migrate --database-only', () => {
  const UNSET = { GW_ADMIN_KEY: '', GW_SECRET_KEY: '', GW_UPSTREAM_BASE_URL: '' };

  test('`migrate --database-only` needs only the settings of the database', async () => {
    const env = { ...PRODUCTION, ...UNSET, DATABASE_URL: database.url };
    expect(await cliJson(['migrate', '--database-only'], { env })).toMatchObject({ code: 0, body: { applied: [] } });
  });

  test('reads the password from the file that GW_DATABASE_PASSWORD_FILE names', async () => {
    const source = { GW_DATABASE_PASSWORD_FILE: join(folder, 'password') };
    const env = {
      ...PRODUCTION,
      ...UNSET,
      DATABASE_URL: 'postgres://me:hunter2-hunter2@127.0.0.1:1/gateway',
      ...source,
    };
    const { code, stderr } = await cli(['migrate', '--database-only'], { env });
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining('GW_DATABASE_PASSWORD_FILE is set, but the database connection has a password'),
    });
  });

  test('fails without DATABASE_URL in production, and does not start an embedded database', async () => {
    const { code, stderr } = await cli(['migrate', '--database-only'], { env: { ...PRODUCTION, ...UNSET } });
    expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringContaining('DATABASE_URL is not set') });
  });
});
