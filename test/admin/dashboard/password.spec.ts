import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../../support/gateway.js';
import { createOperator, OPERATOR_PASSWORD, OperatorSession, signIn } from '../../support/operator-session.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';

const NEW = 'Another-horse-battery-10';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.stop());

const change = (session: OperatorSession, body: unknown, headers?: Record<string, string>) =>
  session.call('POST', '/dashboard/password', body, headers);
const RIGHT = { current_password: OPERATOR_PASSWORD, new_password: NEW };

const isSignedIn = async (session: OperatorSession) => (await session.call('GET', '/dashboard/session')).status === 200;

test.each([
  [{}, [true, true]],
  [{ end_other_sessions: true }, [true, false]],
  [{ end_other_sessions: false }, [true, true]],
])('after a password change with %j, the own and the other session continue: %j', async (fields, continuing) => {
  const { email } = await createOperator(gateway, 'viewer');
  const [one, other] = [await OperatorSession.open(gateway, email), await OperatorSession.open(gateway, email)];
  expect((await change(one, { ...RIGHT, ...fields })).status).toBe(204);
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual(continuing);
});

test('with GW_PROFILE=current, a password change ends the other sessions by default', async () => {
  const current = await TestGateway.start({ GW_PROFILE: 'current' });
  const { email } = await createOperator(current, 'viewer');
  const [one, other] = [await OperatorSession.open(current, email), await OperatorSession.open(current, email)];
  expect((await change(one, RIGHT)).status).toBe(204);
  expect([await isSignedIn(one), await isSignedIn(other)]).toEqual([true, false]);
  await current.stop();
});

test('a password change applies to the next sign-in and is audited', async () => {
  const { id, email } = await createOperator(gateway, 'viewer');
  const one = await OperatorSession.open(gateway, email);
  const response = await change(one, RIGHT);
  expect([response.status, response.text]).toEqual([204, '']);
  expect(errorCodeIn(await signIn(gateway, email, OPERATOR_PASSWORD))).toBe('401 invalid_credentials');
  expect((await signIn(gateway, email, NEW)).status).toBe(200);
  const rows = await gateway.app
    .get(DataSource)
    .query<{ text: string }[]>(
      `select a::text as text from audit_logs a where action = 'operator.password_changed' and target_id = $1`,
      [id],
    );
  expect(rows).toHaveLength(1);
  for (const secret of [OPERATOR_PASSWORD, NEW, 'argon2']) expect(rows[0]!.text).not.toContain(secret);
});

test('a wrong current password returns 401 invalid_credentials and changes nothing', async () => {
  const session = await OperatorSession.of(gateway, 'admin');
  const response = await change(session, { ...RIGHT, current_password: 'Wrong-horse-battery-9' });
  expect(errorCodeIn(response)).toBe('401 invalid_credentials');
  expect(errorIn(response)).toMatchObject({
    type: 'authentication_error',
    message: 'The current password is incorrect. Check it, and try again.',
  });
  expect((await signIn(gateway, session.operator.email, OPERATOR_PASSWORD)).status).toBe(200);
});

test('only five of 12 concurrent changes with a wrong password are checked, and the next returns 429', async () => {
  const session = await OperatorSession.of(gateway, 'admin');
  const wrong = { ...RIGHT, current_password: 'Wrong-horse-battery-9' };
  const responses = await Promise.all(Array.from({ length: 12 }, () => change(session, wrong)));
  const refusals = responses.map(errorCodeIn).sort();
  expect(refusals).toEqual([
    ...Array<string>(5).fill('401 invalid_credentials'),
    ...Array<string>(7).fill('429 rate_limit_exceeded'),
  ]);
  expect(errorCodeIn(await change(session, RIGHT))).toBe('429 rate_limit_exceeded');
});

test.each([
  [{ new_password: 'eleven-char' }, 'new_password'],
  [{ new_password: '👍'.repeat(11) }, 'new_password'],
  [{ new_password: 'x'.repeat(201) }, 'new_password'],
  [{ new_password: null }, 'new_password'],
  [{ new_password: undefined }, 'new_password'],
  [{ current_password: undefined }, 'current_password'],
  [{ current_password: 5 }, 'current_password'],
  [{ again: NEW }, 'again'],
  [{ end_other_sessions: 'no' }, 'end_other_sessions'],
  [{ end_other_sessions: null }, 'end_other_sessions'],
])('%j is rejected with 400 validation_error', async (fields, param) => {
  const session = await OperatorSession.of(gateway, 'viewer');
  expect(errorCodeIn(await change(session, { ...RIGHT, ...fields }))).toBe(`400 validation_error ${param}`);
});

test('a query parameter is rejected and the password is kept', async () => {
  const session = await OperatorSession.of(gateway, 'viewer');
  const response = await session.call('POST', '/dashboard/password?force=1', RIGHT);
  expect(errorCodeIn(response)).toBe('400 validation_error force');
  expect((await signIn(gateway, session.operator.email, OPERATOR_PASSWORD)).status).toBe(200);
});

test('the session and its CSRF token are checked before the body', async () => {
  const session = await OperatorSession.of(gateway, 'owner');
  expect(errorCodeIn(await change(session, 'nonsense', { 'x-csrf-token': 'x' }))).toBe('403 forbidden');
  expect(errorCodeIn(await change(session, 'nonsense', { cookie: '' }))).toBe('401 missing_api_key');
  expect(errorCodeIn(await change(session, 'nonsense'))).toBe('400 invalid_json');
});
