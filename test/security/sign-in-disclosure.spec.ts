import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Passwords } from '../../src/auth/operators/passwords.service.js';
import type { ConcurrencyLimit } from '../../src/platform/fairness/concurrency-limit.js';
import { TestGateway, type Response } from '../support/gateway.js';
import { callPlainly, createOperator, OPERATOR_PASSWORD, type TestOperator } from '../support/operator-session.js';

const ITS_OWN = ['x-request-id', 'date'];

let gateway: TestGateway;
let known: TestOperator;
let disabled: TestOperator;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1' });
  known = await createOperator(gateway, 'owner');
  disabled = await createOperator(gateway, 'admin');
  await gateway.admin('PATCH', `/admin/operators/${disabled.id}`, { disabled: true });
});
afterAll(() => gateway.stop());
afterEach(() => void jest.restoreAllMocks());

let addresses = 0;
const guess = (email: string, password = 'wrong-password-55') =>
  callPlainly(gateway, 'POST', '/dashboard/session', {
    body: { email, password },
    headers: { 'x-forwarded-for': `203.0.113.${++addresses}` },
  });

/** Returns everything that a client sees of a response, except IDs and the time. */
function seen({ status, headers, text }: Response) {
  const shown = [...headers].filter(([name]) => !ITS_OWN.includes(name));
  return { status, headers: shown, text: text.replace(/"request_id":"[^"]*"/, '') };
}

/** Failing sign-ins for existing, disabled and unknown operators. */
const subjects = () =>
  [
    [known.email, 'wrong-password-55'],
    [known.email.toUpperCase(), ''],
    [disabled.email, OPERATOR_PASSWORD],
    [disabled.email, 'wrong-password-55'],
    [`nobody-${addresses}@example.com`, OPERATOR_PASSWORD],
    ['not an address', 'x'],
  ] as const;

describe('failed sign-ins', () => {
  test('the response is identical for existing, disabled and unknown operators', async () => {
    const responses = [];
    for (const [email, password] of subjects()) responses.push(seen(await guess(email, password)));
    expect(responses[0]).toMatchObject({ status: 401, text: expect.stringContaining('invalid_credentials') });
    for (const response of responses) expect(response).toEqual(responses[0]);
  });

  test('one hash is computed, even for an unknown operator', async () => {
    const hashing = Reflect.get(gateway.app.get(Passwords), 'hashing') as ConcurrencyLimit;
    const computed = jest.spyOn(hashing, 'pass');
    for (const [email, password] of subjects()) {
      computed.mockClear();
      await guess(email, password);
      expect([email, computed.mock.calls.length]).toEqual([email, 1]);
    }
  });
});

describe('the sign-in lockout', () => {
  test('the lockout is identical for existing, disabled and unknown operators', async () => {
    const fresh = await createOperator(gateway, 'viewer');
    const off = await createOperator(gateway, 'viewer');
    await gateway.admin('PATCH', `/admin/operators/${off.id}`, { disabled: true });
    const courses = [];
    for (const email of [fresh.email, off.email, 'nobody-at-all@example.com']) {
      const course = [];
      for (let times = 0; times < 7; times++) course.push(seen(await guess(email)));
      courses.push(course.map(({ headers, ...rest }) => ({ ...rest, headers: headers.map(withoutSeconds) })));
    }
    expect(courses[0]!.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    for (const course of courses) expect(course).toEqual(courses[0]);
  });

  test('no hash is computed during a lockout', async () => {
    const email = 'locked-out@example.com';
    for (let times = 0; times < 5; times++) await guess(email);
    const computed = jest.spyOn(Reflect.get(gateway.app.get(Passwords), 'hashing') as ConcurrencyLimit, 'pass');
    expect((await guess(email)).status).toBe(429);
    expect(computed).not.toHaveBeenCalled();
  });
});

/** Replaces `retry-after`, which differs by seconds between responses, and expects about 15 minutes. */
function withoutSeconds([name, value]: [string, string]): [string, string] {
  if (name !== 'retry-after') return [name, value];
  expect(Math.abs(Number(value) - 900)).toBeLessThan(30);
  return [name, 'about 15 minutes'];
}
