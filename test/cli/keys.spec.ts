import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { TestGateway, type Response } from '../support/gateway.js';
import { cli, cliJson, cliProcess, failureOf } from './command.js';

interface KeyDocument {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: string;
}
interface ErrorDocument {
  readonly error: { readonly code: string; readonly message: string; readonly param: string | null };
}

let gateway: TestGateway;
let env: Record<string, string>;

beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl };
});
afterAll(() => gateway.stop());

const create = async (...options: string[]) => {
  const { code, body } = await cliJson<KeyDocument>(['key', 'create', ...options], { env });
  expect(code).toBe(0);
  return body;
};
const change = (name: string, id: string) => cliJson<KeyDocument>(['key', name, id], { env });
const statusOf = async (key: string) => (await gateway.call('GET', '/v1/usage', { key })).status;
const read = (id: string) => gateway.admin('GET', `/admin/api-keys/${id}`);

async function rows<T>(sql: string, parameters: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: gateway.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, parameters)).rows as T[];
  } finally {
    await client.end();
  }
}

describe('key create', () => {
  test('key create makes a key that works immediately, and returns the same as the Admin API', async () => {
    const body = await create(
      '--name',
      'ci',
      '--rpm',
      '7',
      '--rpd',
      '70',
      '--monthly',
      '700',
      '--monthly-tokens',
      '9007199254740991',
      '--models',
      'gpt-4o, m',
      '--models',
      'o3',
      '--expires',
      '2099-01-01',
    );
    expect(await statusOf(body.key)).toBe(200);
    const { key, ...resource } = body;
    expect(key).toMatch(/^sk-gw-[0-9A-Za-z]{49}$/);
    expect({ ...(await read(body.id)).body, last_used_at: null }).toEqual(resource);
    expect(resource).toMatchObject({
      name: 'ci',
      rpm_limit: 7,
      rpd_limit: 70,
      monthly_limit: 700,
      monthly_token_limit: 9007199254740991,
      allowed_models: ['gpt-4o', 'm', 'o3'],
      expires_at: '2099-01-01T00:00:00.000Z',
    });
  });

  test('key create uses the defaults for omitted options', async () => {
    expect(await create('--name', 'plain')).toMatchObject({
      rpm_limit: 60,
      rpd_limit: 10_000,
      monthly_limit: null,
      monthly_token_limit: null,
      allowed_models: null,
      expires_at: null,
      status: 'active',
    });
  });

  test('key create prints the raw key once, on stdout', async () => {
    const { code, stdout, stderr } = await cliProcess(['key', 'create', '--name', 'for people'], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/sk-gw-[0-9A-Za-z]{49}/g)).toHaveLength(1);
    expect(stdout).toContain('only time');
  });
});

describe('invalid fields of key create and key list', () => {
  test.each<[string, string[], object]>([
    ['a missing name', [], {}],
    ['an empty name', ['--name', ''], { name: '' }],
    ['a name that is too long', ['--name', 'n'.repeat(256)], { name: 'n'.repeat(256) }],
    ['zero as a limit', ['--name', 'n', '--rpm', '0'], { name: 'n', rpm_limit: 0 }],
    ['a negative number', ['--name', 'n', '--rpd', '-5'], { name: 'n', rpd_limit: -5 }],
    ['a limit that is not a number', ['--name', 'n', '--rpm', '1e3'], { name: 'n', rpm_limit: '1e3' }],
    [
      'a number that is out of range',
      ['--name', 'n', '--monthly', '2147483648'],
      { name: 'n', monthly_limit: 2147483648 },
    ],
    [
      'a number above 2^53',
      ['--name', 'n', '--monthly-tokens', '9007199254740993'],
      { name: 'n', monthly_token_limit: 9007199254740993 },
    ],
    ['a wildcard', ['--name', 'n', '--models', 'gpt-*'], { name: 'n', allowed_models: ['gpt-*'] }],
    ['an empty model', ['--name', 'n', '--models', 'a,,b'], { name: 'n', allowed_models: ['a', '', 'b'] }],
    ['a value that is not a time', ['--name', 'n', '--expires', 'tomorrow'], { name: 'n', expires_at: 'tomorrow' }],
  ])('key create rejects %s with the error of the Admin API and exit code 2', async (_what, options, body) => {
    const response: Response<ErrorDocument> = await gateway.admin('POST', '/admin/api-keys', body);
    expect(response.status).toBe(400);
    const { code, message, param } = response.body.error;
    const rejected = await failureOf(['key', 'create', ...options]);
    expect(rejected).toEqual({ exitCode: 2, error: { code, message, param } });
  });

  test.each<[string, string[], string]>([
    ['an unknown status', ['--status', 'deleted'], 'status=deleted'],
    ['a limit that is not a number', ['--limit', 'many'], 'limit=many'],
    ['a limit that is too large', ['--limit', '501'], 'limit=501'],
    ['a value that is not a time', ['--since', 'now'], 'since=now'],
    ['an unknown sort field', ['--sort-by', 'key'], 'sort_by=key'],
    [
      'an end before the start',
      ['--since', '2027-01-01', '--until', '2026-01-01'],
      'since=2027-01-01&until=2026-01-01',
    ],
    ['a status together with --expired', ['--status', 'active', '--expired', 'true'], 'status=active&expired=true'],
  ])('key list rejects %s with the error of the Admin API and exit code 2', async (_what, options, query) => {
    const response: Response<ErrorDocument> = await gateway.admin('GET', `/admin/api-keys?${query}`);
    expect(response.status).toBe(400);
    const { code, message, param } = response.body.error;
    const rejected = await failureOf(['key', 'list', ...options]);
    expect(rejected).toEqual({ exitCode: 2, error: { code, message, param } });
  });

  test('the printed error names the option that was typed', async () => {
    const { code, stdout, stderr } = await cliProcess(['key', 'create', '--name', 'n', '--rpm', '0'], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: --rpm: .*rpm_limit.* integer.*\n$/);
  });
});

describe('key suspend, unsuspend, rotate and revoke', () => {
  test('a running gateway applies suspend and unsuspend immediately', async () => {
    const { id, key } = await gateway.createKey({ name: 'stop and go' });
    expect(await statusOf(key)).toBe(200);
    expect(await change('suspend', id)).toMatchObject({ code: 0, body: { id, status: 'suspended' } });
    expect((await gateway.chat(key)).body).toMatchObject({ error: { code: 'api_key_suspended' } });
    expect(await change('unsuspend', id)).toMatchObject({ code: 0, body: { id, status: 'active' } });
    expect((await gateway.chat(key)).status).toBe(200);
  });

  test('rotate replaces the raw key and prints the new one, and revoke invalidates it', async () => {
    const { id, key } = await gateway.createKey({ name: 'turn' });
    expect(await statusOf(key)).toBe(200);
    const { code, body } = await change('rotate', id);
    expect({ code, ...body }).toMatchObject({ code: 0, id, status: 'active', key: expect.stringMatching(/^sk-gw-/) });
    expect((await gateway.chat(key)).status).toBe(401);
    expect((await gateway.chat(body.key)).status).toBe(200);
    expect(await change('revoke', id)).toMatchObject({ code: 0, body: { id, status: 'revoked' } });
    expect((await gateway.chat(body.key)).body).toMatchObject({ error: { code: 'api_key_revoked' } });
  });

  test('a change fails with not_found and exit code 1 if the key is unknown or its status forbids it', async () => {
    const { id } = await gateway.createKey({ name: 'ends' });
    const rejected = (message: string) => ({
      code: 1,
      failed: true,
      body: { error: { code: 'not_found', message, param: null } },
    });
    await gateway.admin('POST', `/admin/api-keys/${id}/revoke`);
    const [again, unknown, noUuid] = await Promise.all([
      change('suspend', id),
      change('rotate', '00000000-0000-4000-8000-000000000000'),
      change('revoke', 'sk-gw-something'),
    ]);
    expect(again).toEqual(rejected('API key not found or not active'));
    expect(unknown).toEqual(rejected('API key not found or revoked'));
    expect(noUuid).toEqual(rejected('API key not found. Use the ID that "key list" shows.'));
  });

  test('audit rows name the system and the CLI, and do not contain the raw key', async () => {
    const { id, key } = await create('--name', 'audited');
    await change('suspend', id);
    const auditRows = await rows<{ action: string; actor_type: string; metadata: Record<string, unknown> }>(
      `select action, actor_type, metadata from audit_logs where target_id = $1 order by created_at`,
      [id],
    );
    expect(auditRows.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.suspended']);
    for (const { actor_type: actor, metadata } of auditRows) {
      expect(actor).toBe('system');
      expect(metadata).toMatchObject({ via: 'cli', actor_id: null, request_id: null, ip: null });
      expect(JSON.stringify(metadata)).not.toContain(key);
    }
  });
});

describe('key list', () => {
  test('key list returns the same as the Admin API for the same query', async () => {
    await gateway.createKey({ name: 'needle one' });
    const { id } = await gateway.createKey({ name: 'needle two' });
    await gateway.admin('POST', `/admin/api-keys/${id}/suspend`);
    const options = ['--search', 'NEEDLE', '--status', 'suspended', '--sort-by', 'name', '--sort-dir', 'asc'];
    const response = await gateway.admin(
      'GET',
      '/admin/api-keys?name=NEEDLE&status=suspended&sort_by=name&sort_dir=asc&limit=5&offset=0',
    );
    expect(response.body).toMatchObject({ total: 1, keys: [{ id }] });
    const listed = await cliJson(['key', 'list', ...options, '--limit', '5', '--offset', '0'], { env });
    expect(listed).toEqual({ code: 0, failed: false, body: response.body });
  });

  test('key list prints the option for the next page, and no raw keys', async () => {
    const keys = await Promise.all(['page', 'page', 'page'].map((name) => gateway.createKey({ name })));
    const list = (...options: string[]) => cli(['key', 'list', '--search', 'page', ...options], { env });
    const [first, last, beyond] = await Promise.all([
      list('--limit', '2'),
      list('--limit', '2', '--offset', '2'),
      list('--offset', '9'),
    ]);
    expect(first.stdout).toMatch(/\n1 to 2 of 3\. Next page: --offset 2\n$/);
    expect(last.stdout).toMatch(/\n3 to 3 of 3\.\n$/);
    expect(beyond.stdout).toMatch(/--offset 9.*total: 3/);
    expect(first.stdout.split('\n')[0]).toMatch(/^ID +NAME +TEAM +STATUS/);
    for (const { key } of keys) expect(first.stdout + last.stdout).not.toContain(key);
  });

  test('key list aligns columns in plain ASCII, even if names contain control characters', async () => {
    await gateway.createKey({ name: 'evil \u001b[31m\r\n\u202e\u0007name' });
    await gateway.createKey({ name: 'evil' });
    const { stdout } = await cli(['key', 'list', '--search', 'evil'], { env });
    expect(stdout).toMatch(/^[\x20-\x7e\n]+$/);
    const lines = stdout.split('\n').slice(0, 3);
    const column = lines[0]!.indexOf('STATUS');
    expect(lines.slice(1).map((line) => line.slice(column, column + 6))).toEqual(['active', 'active']);
  });
});
