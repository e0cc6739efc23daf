import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { PGBOUNCER, PgBouncer } from '../../support/pgbouncer.js';
import { createEmptyDatabase, createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { TestGateway } from '../../support/gateway.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { startTransactionPooler } from '../../support/transaction-pooler.js';
import { cliJson } from '../../cli/command.js';
import { diagnose, found, PASSWORD, troubles } from '../../cli/diagnosis.js';

let scratch: ScratchDatabase;
let upstream: ScriptedUpstream;
let sound: Record<string, string>;

beforeAll(async () => {
  [scratch, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  sound = { PORT: '0', DATABASE_URL: scratch.url, GW_UPSTREAM_BASE_URL: upstream.url };
  await cliJson(['operator', 'create', '--email', 'o@example.com', '--name', 'O', '--role', 'owner', '--generate'], {
    env: sound,
  });
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await upstream.stop();
  await scratch.drop();
});

const doctor = (env: Record<string, string> = {}) => diagnose({ ...sound, ...env });

const SKIPPED_WITHOUT_DATABASE = {
  database_version: 'skipped',
  database_sessions: 'skipped',
  database_encoding: 'skipped',
  database_settings: 'skipped',
  database_replication: 'skipped',
  database_rights: 'skipped',
  owner: 'skipped',
  database_clock: 'skipped',
  database_connections: 'skipped',
  migrations: 'skipped',
  webhook_secrets: 'skipped',
};

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: scratch.url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe('doctor with an unsuitable database', () => {
  test.each<[string, (url: URL) => void, RegExp]>([
    ['cannot be reached', (url) => (url.port = '1'), /nothing is listening on .*:1\b/],
    ['has an unknown host', (url) => (url.hostname = 'nowhere.invalid'), /nowhere\.invalid/],
    ['does not exist', (url) => (url.pathname = '/no_such_database'), /no such database/],
  ])('doctor fails for a database that %s', async (_problem, spoil, message) => {
    const url = new URL(scratch.url);
    spoil(url);
    const diagnosis = await doctor({ DATABASE_URL: url.href });
    expect(troubles(diagnosis)).toEqual({ database: 'fail', ...SKIPPED_WITHOUT_DATABASE });
    expect(found(diagnosis, 'database').message).toMatch(message);
  });

  test('doctor fails if the database rejects the user or the password', async () => {
    const url = new URL(scratch.url);
    url.username = 'gw_test_nobody';
    url.password = PASSWORD;
    const diagnosis = await doctor({ DATABASE_URL: url.href });
    expect(troubles(diagnosis)).toEqual({ database: 'fail', ...SKIPPED_WITHOUT_DATABASE });
    expect(found(diagnosis, 'database').message).toMatch(/rejects the user/);
  });

  test('doctor fails within its timeout if the database accepts connections but does not respond', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = new URL(scratch.url);
    url.host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const diagnosis = await doctor({ DATABASE_URL: url.href });
    silent.close();
    expect(found(diagnosis, 'database')).toMatchObject({
      status: 'fail',
      message: /* 3 s */ expect.stringMatching(/in time/),
    });
  });

  test('doctor warns of pending migrations, and fails with GW_MIGRATE=off', async () => {
    const empty = await createEmptyDatabase();
    const [on, off] = await Promise.all([
      doctor({ DATABASE_URL: empty.url }),
      doctor({ DATABASE_URL: empty.url, GW_MIGRATE: 'off' }),
    ]);
    expect(troubles(on)).toEqual({ migrations: 'warn', owner: 'skipped', webhook_secrets: 'skipped' });
    expect(troubles(off)).toEqual({ migrations: 'fail', owner: 'skipped', webhook_secrets: 'skipped' });
    expect(found(off, 'migrations').advice).toContain('migrate');
    await empty.drop();
  });

  test('doctor warns if a newer release has migrated the database', async () => {
    const other = await createScratchDatabase();
    const client = new Client({ connectionString: other.url });
    await client.connect();
    await client.query(`insert into migrations (timestamp, name) values (1990000000000, 'Later1990000000000')`);
    await client.end();
    const diagnosis = await doctor({ DATABASE_URL: other.url });
    expect(found(diagnosis, 'migrations')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('Later1990000000000'),
    });
    await other.drop();
  });

  test('doctor fails if the database is behind a pooler in transaction mode', async () => {
    const pooler = await startTransactionPooler(scratch.url);
    const diagnosis = await doctor({ DATABASE_URL: pooler.url });
    await pooler.stop();
    expect(found(diagnosis, 'database')).toMatchObject({ status: 'ok' });
    expect(found(diagnosis, 'database_sessions')).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('session mode'),
    });
  });

  (PGBOUNCER ? test : test.skip).each([
    ['session', 'ok'],
    ['transaction', 'fail'],
    ['statement', 'fail'],
  ] as const)('behind pgbouncer in %s mode, the sessions are: %s', async (mode, status) => {
    const pooler = await PgBouncer.start(scratch.url, mode);
    const diagnosis = await doctor({ DATABASE_URL: pooler.url });
    await pooler.stop();
    expect(found(diagnosis, 'database_sessions').status).toBe(status);
  });

  test('doctor fails if the database allows fewer connections than a gateway needs', async () => {
    const diagnosis = await doctor({ GW_DATABASE_POOL: '1000' });
    expect(troubles(diagnosis)).toEqual({ database_connections: 'fail' });
    expect(found(diagnosis, 'database_connections').message).toContain('1003');
  });
});

describe('doctor with a database user that lacks privileges', () => {
  const user = `gw_test_user_${process.pid}`;
  let url: string;

  beforeEach(async () => {
    await onServer(`create role ${user} login password '${PASSWORD}' connection limit 4`);
    const own = new URL(scratch.url);
    [own.username, own.password] = [user, PASSWORD];
    url = own.href;
  });
  afterEach(() => onServer(`drop owned by ${user}`, `drop role ${user}`));

  test('doctor names the tables without privileges and the connection limit of the user', async () => {
    const diagnosis = await doctor({ DATABASE_URL: url, GW_DATABASE_POOL: '3' });
    expect(found(diagnosis, 'database_rights')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/api_keys.*audit_logs/),
    });
    expect(found(diagnosis, 'database_connections')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('the user allows 4'),
    });
  });

  test('doctor reports that only the owner of a table can create partitions', async () => {
    await onServer(`grant select, insert, update, delete on all tables in schema public to ${user}`);
    const { status, message, advice } = found(await doctor({ DATABASE_URL: url }), 'database_rights');
    expect([status, advice]).toEqual(['fail', expect.stringContaining('own partitioned tables')]);
    expect(message).toContain('audit_logs');
    expect(message).not.toContain('api_keys');
  });
});

describe('doctor with webhooks in the database', () => {
  test('doctor checks whether GW_SECRET_KEY can decrypt webhook secrets', async () => {
    const [made, other] = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64')) as [string, string];
    const gateway = await TestGateway.start({ GW_SECRET_KEY: made }, { databaseUrl: scratch.url, upstream });
    const webhook = { url: 'https://hooks.example.com/', events: ['key_revoked'] };
    const { status, body } = await gateway.admin<{ id: string }>('POST', '/admin/webhooks', webhook);
    expect(status).toBe(201);
    const secretsWith = async (key: string) => found(await doctor({ GW_SECRET_KEY: key }), 'webhook_secrets');
    expect(await secretsWith(made)).toMatchObject({ status: 'ok' });
    expect(await secretsWith(`${other},${made}`)).toMatchObject({ status: 'ok' });
    expect(await secretsWith(other)).toMatchObject({ status: 'fail', message: expect.stringContaining('1 webhook') });
    await gateway.admin('DELETE', `/admin/webhooks/${body.id}`);
    await gateway.stop();
  });
});

describe('doctor without an owner', () => {
  let own: ScratchDatabase;

  beforeEach(async () => {
    own = await createScratchDatabase();
  });
  afterEach(() => own.drop());

  test('doctor explains how to create an owner, unless the next start creates one', async () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: own.url };
    expect(found(await doctor(production), 'owner')).toMatchObject({
      status: 'warn',
      advice: expect.stringContaining('operator create'),
    });
    const given = { GW_OWNER_EMAIL: 'o@example.com', GW_OWNER_PASSWORD: PASSWORD };
    expect(found(await doctor({ ...production, ...given }), 'owner')).toMatchObject({ status: 'ok' });
    const who = ['--email', 'v@example.com', '--name', 'V', '--role', 'viewer', '--generate'];
    await cliJson(['operator', 'create', ...who], { env: { ...sound, DATABASE_URL: own.url } });
    expect(found(await doctor({ ...production, ...given }), 'owner')).toMatchObject({ status: 'warn' });
  });
});
