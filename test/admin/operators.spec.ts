import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../support/gateway.js';
import {
  createOperator,
  OPERATOR_PASSWORD,
  OperatorSession,
  signIn,
  type TestOperator,
} from '../support/operator-session.js';
import { errorIn, errorCodeIn } from '../support/responses.js';

const PATH = '/admin/operators';
const NEW = { name: 'Ada', role: 'viewer', password: OPERATOR_PASSWORD };
const SIGNED_OUT = '401 missing_api_key';

let gateway: TestGateway;
beforeAll(async () => {
  // Failed sign-ins are counted by address, so each sign-in below comes from its own address.
  gateway = await TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => gateway.stop());

const call = <T = Record<string, unknown>>(method: string, path = '', body?: unknown) =>
  gateway.admin<T>(method, PATH + path, body);
const email = () => `${randomUUID()}@example.com`;
let addresses = 0;
const signInWith = async (address: string, password: string) =>
  (await signIn(gateway, address, password, { 'x-forwarded-for': `203.0.113.${++addresses}` })).status;

describe('POST /admin/operators', () => {
  test('creates an operator and never returns the password or its hash', async () => {
    const address = email();
    const response = await call<TestOperator>('POST', '', { ...NEW, email: address });
    expect([response.status, response.body]).toEqual([
      201,
      {
        id: response.body.id,
        email: address,
        name: 'Ada',
        role: 'viewer',
        disabled: false,
        last_login_at: null,
        created_at: expect.stringMatching(/Z$/) as unknown,
      },
    ]);
    expect(await signInWith(address, OPERATOR_PASSWORD)).toBe(200);
    const { text } = await call('GET', '?limit=500');
    expect(text).toContain(address);
    expect(text).not.toMatch(/argon2|hash|password/);
  });

  test('an email that is already in use returns 400, regardless of case', async () => {
    const { email: taken } = await createOperator(gateway, 'viewer');
    for (const given of [taken, taken.toUpperCase(), ` ${taken} `])
      expect(errorCodeIn(await call('POST', '', { ...NEW, email: given }))).toBe('400 validation_error email');
    const both = await Promise.all([1, 2, 3].map(() => call('POST', '', { ...NEW, email: 'once@example.com' })));
    expect(both.map(errorCodeIn).sort()).toEqual(
      ['201', '400 validation_error email', '400 validation_error email'].sort(),
    );
  });

  test.each<[object, string]>([
    [{ email: undefined }, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a b@example.com' }, 'email'],
    [{ email: 'a\0@example.com' }, 'email'],
    [{ email: null }, 'email'],
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ role: undefined }, 'role'],
    [{ role: 'root' }, 'role'],
    [{ role: 'Owner' }, 'role'],
    [{ password: undefined }, 'password'],
    [{ password: 'eleven-char' }, 'password'],
    [{ password: 'x'.repeat(201) }, 'password'],
    [{ password: 123456789012 }, 'password'],
    [{ disabled: true }, 'disabled'],
    [{ id: randomUUID() }, 'id'],
  ])('%j is rejected with 400 validation_error', async (fields, param) => {
    const response = await call('POST', '', { ...NEW, email: email(), ...fields });
    expect(errorCodeIn(response)).toBe(`400 validation_error ${param}`);
    expect(response.text).not.toContain(OPERATOR_PASSWORD);
  });
});

describe('GET /admin/operators', () => {
  test('pages through operators, newest first, and rejects invalid queries', async () => {
    const ids = [];
    for (let at = 0; at < 4; at++) ids.unshift((await createOperator(gateway, 'viewer')).id);
    interface List {
      readonly total: number;
      readonly has_more: boolean;
      readonly operators: readonly TestOperator[];
    }
    const { body } = await call<List>('GET', '?limit=2&offset=1');
    expect(body.operators.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect([body.total > 3, body.has_more]).toEqual([true, true]);
    const last = await call<List>('GET', `?offset=${body.total - 1}`);
    expect([last.body.operators.length, last.body.has_more, last.body.total]).toEqual([1, false, body.total]);
    for (const query of ['limit=0', 'limit=501', 'offset=-1', 'role=owner'])
      expect(errorCodeIn(await call('GET', `?${query}`))).toMatch(/^400 validation_error (limit|offset|role)$/);
  });
});

describe('PATCH /admin/operators/{id}', () => {
  test('changes only the given fields and rejects those that cannot change', async () => {
    const operator = await createOperator(gateway, 'viewer');
    const patch = (fields: object) => call<TestOperator>('PATCH', `/${operator.id}`, fields);
    expect((await patch({ name: 'Grace' })).body).toEqual({ ...operator, name: 'Grace' });
    expect((await patch({ role: 'admin' })).body).toEqual({ ...operator, name: 'Grace', role: 'admin' });
    expect((await patch({})).body).toEqual({ ...operator, name: 'Grace', role: 'admin' });
    for (const [fields, param] of [
      [{ email: 'other@example.com' }, 'email'],
      [{ password: OPERATOR_PASSWORD }, 'password'],
      [{ disabled: 'yes' }, 'disabled'],
      [{ name: null }, 'name'],
      [{ role: 'root' }, 'role'],
    ] as const)
      expect(errorCodeIn(await patch(fields))).toBe(`400 validation_error ${param}`);
  });

  test('a role change applies to the next request in an open session', async () => {
    // A second owner, because the last owner cannot be demoted.
    await createOperator(gateway, 'owner');
    const session = await OperatorSession.of(gateway, 'viewer');
    const roles = [
      ['owner', '200'],
      ['admin', '403 forbidden'],
      ['viewer', '403 forbidden'],
    ] as const;
    for (const [role, operators] of roles) {
      expect((await call('PATCH', `/${session.operator.id}`, { role })).status).toBe(200);
      expect(errorCodeIn(await session.call('GET', PATH))).toBe(operators);
      expect(errorCodeIn(await session.call('GET', '/admin/api-keys'))).toBe('200');
    }
  });

  test('disabling an operator ends the session immediately and prevents sign-in until the operator is enabled again', async () => {
    const session = await OperatorSession.of(gateway, 'admin');
    const { id, email: address } = session.operator;
    await call('PATCH', `/${id}`, { disabled: true });
    for (const path of ['/admin/api-keys', '/dashboard/session'])
      expect(errorCodeIn(await session.call('GET', path))).toBe(SIGNED_OUT);
    expect(await signInWith(address, OPERATOR_PASSWORD)).toBe(401);
    await call('PATCH', `/${id}`, { disabled: false });
    expect(await signInWith(address, OPERATOR_PASSWORD)).toBe(200);
    expect(errorCodeIn(await session.call('GET', '/admin/api-keys'))).toBe(SIGNED_OUT);
  });
});

test('setting a password ends the sessions of that operator only', async () => {
  const [session, other] = [await OperatorSession.of(gateway, 'admin'), await OperatorSession.of(gateway, 'admin')];
  const { id, email: address } = session.operator;
  const set = (body: unknown) => call('POST', `/${id}/password`, body);
  for (const [body, param] of [
    [{}, 'new_password'],
    [{ new_password: 'eleven-char' }, 'new_password'],
    [{ new_password: 'Another-horse-battery-10', current_password: 'x' }, 'current_password'],
  ] as const)
    expect(errorCodeIn(await set(body))).toBe(`400 validation_error ${param}`);
  const response = await set({ new_password: 'Another-horse-battery-10' });
  expect([response.status, response.text]).toEqual([204, '']);
  expect(errorCodeIn(await session.call('GET', '/admin/api-keys'))).toBe(SIGNED_OUT);
  expect((await other.call('GET', '/admin/api-keys')).status).toBe(200);
  expect(await signInWith(address, OPERATOR_PASSWORD)).toBe(401);
  expect(await signInWith(address, 'Another-horse-battery-10')).toBe(200);
});

test('an unknown or malformed operator ID returns 404 not_found on every route', async () => {
  for (const id of [randomUUID(), 'x', `${randomUUID()}0`, '%00', "'%20or%20true"])
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/password', { new_password: OPERATOR_PASSWORD }],
    ] as const)
      expect([id, errorCodeIn(await call(method, `/${id}${path}`, body))]).toEqual([id, '404 not_found']);
});

describe('the last owner', () => {
  const owners = async () => {
    const { body } = await call<{ operators: TestOperator[] }>('GET', '?limit=500');
    return body.operators.filter(({ role, disabled }) => role === 'owner' && !disabled);
  };
  const refused = [
    ['PATCH', { role: 'admin' }, 'role'],
    ['PATCH', { disabled: true }, 'disabled'],
    ['DELETE', undefined, 'id'],
  ] as const;

  test('the last owner cannot be demoted, disabled or deleted by anyone', async () => {
    const session = await OperatorSession.of(gateway, 'owner');
    for (const { id } of await owners()) if (id !== session.operator.id) await call('DELETE', `/${id}`);
    await createOperator(gateway, 'owner', { email: email() }).then(({ id }) =>
      call('PATCH', `/${id}`, { disabled: true }),
    );
    const path = `/${session.operator.id}`;
    for (const [method, body, param] of refused) {
      for (const response of [await call(method, path, body), await session.call(method, PATH + path, body)]) {
        expect(errorCodeIn(response)).toBe(`400 validation_error ${param}`);
        expect(errorIn(response).message).toContain('last owner');
      }
    }
    expect((await call('PATCH', path, { name: 'Last' })).status).toBe(200);
  });
});

test('each change to an operator is audited once, without the password', async () => {
  const { id } = await createOperator(gateway, 'viewer');
  await call('PATCH', `/${id}`, { name: 'Grace' });
  await call('PATCH', `/${id}`, { name: 'Grace' });
  await call('POST', `/${id}/password`, { new_password: 'Another-horse-battery-10' });
  expect((await call('DELETE', `/${id}`)).body).toEqual({ id, deleted: true });
  const rows = await gateway.app
    .get(DataSource)
    .query<{ action: string; text: string }[]>(
      'select action, a::text as text from audit_logs a where target_id = $1 order by created_at',
      [id],
    );
  const actions = rows.map(({ action }) => action);
  expect(actions).toEqual(['operator.created', 'operator.updated', 'operator.password_changed', 'operator.deleted']);
  for (const { text } of rows) expect(text).not.toMatch(/horse|argon2/);
});
