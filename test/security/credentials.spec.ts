import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { parseKey } from '../../src/keys/key-format.js';
import { declaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { errorIn, errorCodeIn } from '../support/responses.js';
import { TestGateway, type Response, type Key } from '../support/gateway.js';
import { callPlainly, OPERATOR_PASSWORD, OperatorSession, signIn } from '../support/operator-session.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

let gateway: TestGateway;
let key: Key;
let owner: OperatorSession;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1' });
  key = await gateway.createKey();
  owner = await OperatorSession.of(gateway, 'owner');
});
afterAll(() => gateway.stop());

const usageWith = (token: string) => gateway.call('GET', '/v1/usage', { key: token });

/** Returns another valid key that differs only in the last random character and the checksum. */
function siblingOf(rawKey: string): string {
  const body = rawKey.slice(0, -7);
  const last = rawKey.at(-7) === 'A' ? 'B' : 'A';
  let rest = crc32(body + last);
  let checksum = '';
  for (let at = 0; at < 6; at++, rest = Math.floor(rest / 62)) checksum = ALPHABET.charAt(rest % 62) + checksum;
  return body + last + checksum;
}

test('a key that differs from a cached key in its last character returns 401 and does not affect the cached one', async () => {
  const sibling = siblingOf(key.key);
  expect(parseKey(sibling)).toBe(sibling);
  for (const [secret, status] of [
    [key.key, 200],
    [sibling, 401],
    [key.key, 200],
    [sibling, 401],
  ] as const)
    expect((await usageWith(secret)).status).toBe(status);
  const other = await gateway.createKey();
  expect((await usageWith(siblingOf(other.key))).status).toBe(401);
  expect((await usageWith(other.key)).status).toBe(200);
});

describe('stored hashes', () => {
  interface Hashes {
    readonly keys: Buffer;
    readonly sessions: Buffer;
    readonly password: string;
  }
  const hashes = async (): Promise<Hashes> => {
    const [row] = await gateway.app.get(DataSource).query<[Hashes]>(
      `select (select key_hash from api_keys where id = $1) as keys,
              (select token_hash from operator_sessions where operator_id = $2) as sessions,
              (select password_hash from operators where id = $2) as password`,
      [key.id, owner.operator.id],
    );
    return row;
  };
  const written = (hash: Buffer) => [hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')];

  test('a stored hash is not accepted as a credential in any encoding', async () => {
    const { keys, sessions, password } = await hashes();
    for (const hash of written(keys))
      for (const token of [hash, `sk-gw-${hash}`, `sk-gw-${hash.slice(0, 49)}`, `\\x${hash}`])
        expect((await usageWith(token)).status).toBe(401);
    for (const token of written(sessions)) {
      const headers = { cookie: `gw_admin_session=${token}`, 'x-csrf-token': owner.csrfToken };
      expect(errorCodeIn(await callPlainly(gateway, 'GET', '/admin/api-keys', { headers }))).toBe(
        '401 missing_api_key',
      );
    }
    const given = await signIn(gateway, owner.operator.email, password, { 'x-forwarded-for': '203.0.113.1' });
    expect(errorCodeIn(given)).toBe('401 invalid_credentials');
    for (const token of written(sessions))
      expect((await owner.call('POST', '/admin/cache/purge', undefined, { 'x-csrf-token': token })).status).toBe(403);
  });

  test('no Admin API response contains a hash, key, password or token', async () => {
    await usageWith(key.key);
    const { keys, sessions, password } = await hashes();
    const secrets = [...written(keys), ...written(sessions), password, key.key, owner.token, OPERATOR_PASSWORD];
    const reads = declaredRoutes(gateway.app).filter(({ method, spec }) => spec?.kind === 'admin' && method === 'GET');
    let seen = 0;
    for (const { path } of reads) {
      const response = await owner.call('GET', path.replace(':id', key.id).replace('*', 'gpt-4o-mini'));
      if (response.status === 200) seen++;
      for (const secret of secrets) expect([path, response.text.includes(secret)]).toEqual([path, false]);
    }
    expect(seen).toBeGreaterThan(12);
  });
});

describe('SQL in credentials', () => {
  const INJECTED = [
    `' or '1'='1`,
    `'; drop table api_keys; --`,
    `") union select key_hash from api_keys --`,
    `$1$$; select pg_sleep(10)--`,
    String.raw`\'; copy api_keys to program 'sh' --`,
  ];

  test('SQL in a credential is rejected and does not become part of a statement', async () => {
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    const responses: Response[] = [];
    for (const [at, sql] of INJECTED.entries()) {
      const from = { 'x-forwarded-for': `203.0.113.${10 + at}` };
      for (const authorization of [sql, `Bearer ${sql}`, `Bearer sk-gw-${sql}`, `Bearer admin_gw_${sql}`])
        for (const path of ['/v1/usage', '/v1/messages/x', '/admin/api-keys'])
          responses.push(await callPlainly(gateway, 'GET', path, { headers: { authorization } }));
      responses.push(await callPlainly(gateway, 'GET', '/v1/messages/x', { headers: { 'x-api-key': sql } }));
      for (const path of ['/admin/api-keys', '/dashboard/session'])
        responses.push(await callPlainly(gateway, 'GET', path, { headers: { cookie: `gw_admin_session=${sql}` } }));
      responses.push(await owner.call('POST', '/admin/cache/purge', undefined, { 'x-csrf-token': sql }));
      responses.push(await signIn(gateway, `${sql}@example.com`, sql, { ...from, 'user-agent': sql }));
    }
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401, 403]));
    expect(responses.every((response) => ['authentication_error'].includes(errorIn(response).type))).toBe(true);
    const texts = statements.mock.calls.map(([given]) =>
      typeof given === 'string' ? given : String((given as unknown as { text: unknown }).text),
    );
    statements.mockRestore();
    expect(texts.some((text) => text.includes('password_guesses'))).toBe(true);
    for (const sql of INJECTED) expect(texts.filter((text) => text.includes(sql))).toEqual([]);
    expect((await usageWith(key.key)).status).toBe(200);
  });
});
