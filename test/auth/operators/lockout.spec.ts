import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { emailSubject, networkSubject, waitMs } from '../../../src/auth/operators/lockout.service.js';
import { OperatorsDatabase, PASSWORD } from './operators-database.js';

const MINUTE_MS = 60_000;
const WRONG = 'wrong-password-55';

let db: OperatorsDatabase;
beforeAll(async () => {
  db = await OperatorsDatabase.create();
  db.other.clock.nowMs = db.one.clock.nowMs;
});
afterAll(() => db.close());

let addresses = 0;
const newAddress = () => `198.51.${Math.trunc(++addresses / 250)}.${(addresses % 250) + 1}`;

function outcomeOf(signIn: Promise<unknown>): Promise<string> {
  return signIn.then(
    () => 'ok',
    (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
  );
}
const guess = (email: string, ip = newAddress(), password = WRONG, process = db.one) =>
  outcomeOf(process.signIn(email, password, ip));
const rejectionOf = (signIn: Promise<unknown>) => signIn.catch((error: unknown) => error) as Promise<GatewayError>;

/** A busy machine can exceed the database timeout, and then returns 503 instead of 429. */
const isRejectedUnchecked = (outcome: string) => ['rate_limit_exceeded', 'service_unavailable'].includes(outcome);

const advance = (ms: number) => {
  db.one.clock.nowMs += ms;
  db.other.clock.nowMs += ms;
};

test('after five wrong passwords for an email, every guess is rejected with 429 from any address', async () => {
  const { id, email } = await db.newOperator();
  for (let at = 0; at < 5; at++) expect(await guess(at % 2 ? email : email.toUpperCase())).toBe('invalid_credentials');
  const rows = (await db.auditRows(id)).length;
  const rejection = await rejectionOf(db.one.signIn(email, PASSWORD, newAddress()));
  expect(rejection).toMatchObject({ code: 'rate_limit_exceeded', status: 429, headers: { 'retry-after': '900' } });
  expect(await guess(email, newAddress(), PASSWORD, db.other)).toBe('rate_limit_exceeded');
  expect(await db.auditRows(id)).toHaveLength(rows);
});

test('an unknown email is locked in the same way', async () => {
  const outcomes = [];
  for (let at = 0; at < 6; at++) outcomes.push(await guess('nobody@example.test'));
  expect(outcomes).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limit_exceeded']);
});

test.each([
  ['an IPv4 address', '203.0.113.5', '203.0.113.5', '203.0.113.6'],
  ['an IPv4 address mapped to IPv6', '::ffff:203.0.113.9', '203.0.113.9', '::ffff:203.0.113.10'],
  ['an IPv6 /64', '2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::1'],
])('five wrong passwords from %s block every sign-in from there', async (_name, first, same, another) => {
  for (let at = 0; at < 5; at++) expect(await guess(`unknown${at}@example.test`, first)).toBe('invalid_credentials');
  const { email } = await db.newOperator();
  expect(await guess(email, same, PASSWORD)).toBe('rate_limit_exceeded');
  expect(await guess(email, another, PASSWORD)).toBe('ok');
  advance(15 * MINUTE_MS);
});

describe('concurrent guesses on two processes', () => {
  test('exactly five concurrent guesses for one email are checked', async () => {
    const { id, email } = await db.newOperator();
    const guesses = Array.from({ length: 30 }, (_, at) =>
      guess(email, newAddress(), WRONG, at % 2 ? db.one : db.other),
    );
    const outcomes = await Promise.all(guesses);
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(5);
    expect(outcomes.filter(isRejectedUnchecked)).toHaveLength(25);
    const failed = (await db.auditRows(id)).filter(({ action }) => action === 'admin.login_failed');
    expect(failed).toHaveLength(5);
    expect(await guess(email)).toBe('rate_limit_exceeded');
  });

  test('exactly five concurrent guesses for one subject are checked', async () => {
    const judge = (at: number) => (at % 2 ? db.one : db.other).passwords.verify(['operator:at-once'], null, WRONG);
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => judge(at)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('exactly five concurrent guesses from one address are checked, not counting locked emails', async () => {
    const ip = newAddress();
    const locked = db.newEmail();
    for (let at = 0; at < 5; at++) await guess(locked);
    const emails = Array.from({ length: 20 }, (_, at) => (at % 4 === 0 ? locked : `many${at}@example.test`));
    const outcomes = await Promise.all(emails.map((email, at) => guess(email, ip, WRONG, at % 2 ? db.one : db.other)));
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(5);
    expect(outcomes.filter(isRejectedUnchecked)).toHaveLength(15);
    expect(await guess(db.newEmail(), ip)).toBe('rate_limit_exceeded');
  });
});

describe('correct passwords', () => {
  test('correct passwords from one address never count as guesses', async () => {
    const ip = newAddress();
    const { email } = await db.newOperator();
    for (let at = 0; at < 6; at++) expect(await guess(email, ip, PASSWORD)).toBe('ok');
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => guess(email, ip, PASSWORD)));
    expect(new Set(atOnce)).toEqual(new Set(['ok']));
  });

  test('a correct password clears the guesses for the email but not for the address', async () => {
    const ip = newAddress();
    const { email } = await db.newOperator();
    for (let at = 0; at < 4; at++) await guess(email, ip);
    expect(await guess(email, ip, PASSWORD)).toBe('ok');
    for (let at = 0; at < 4; at++) expect(await guess(email)).toBe('invalid_credentials');
    expect(await guess(email, ip)).toBe('invalid_credentials');
    expect(await guess('somebody@example.test', ip)).toBe('rate_limit_exceeded');
  });

  test('the correct password of a disabled operator counts as a wrong guess', async () => {
    const { id, email } = await db.newOperator();
    await db.one.operators.update(id, { disabled: true }, { type: 'system', id: null, requestId: null, ip: null });
    const outcomes = [];
    for (let at = 0; at < 6; at++) outcomes.push(await guess(email, newAddress(), PASSWORD));
    expect(outcomes).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limit_exceeded']);
  });
});

describe('lockout period', () => {
  test('the lockout ends 15 minutes after the first guess, even if later guesses were rejected', async () => {
    const { email } = await db.newOperator();
    for (let at = 0; at < 5; at++) {
      await guess(email);
      advance(MINUTE_MS);
    }
    for (const [leftSeconds, passMs] of [
      [600, 599_001],
      [1, 999],
    ] as const) {
      const rejection = await rejectionOf(db.one.signIn(email, WRONG, newAddress()));
      expect(rejection.headers).toEqual({ 'retry-after': String(leftSeconds) });
      advance(passMs);
    }
    expect(await guess(email)).toBe('invalid_credentials');
    const rejection = await rejectionOf(db.one.signIn(email, WRONG, newAddress()));
    expect(rejection.headers).toEqual({ 'retry-after': '60' });
  });

  test('the longer of the two lockouts applies, by email or by address', async () => {
    const { email } = await db.newOperator();
    const ip = newAddress();
    for (let at = 0; at < 5; at++) await guess(email);
    advance(MINUTE_MS);
    for (let at = 0; at < 5; at++) await guess(`window${at}@example.test`, ip);
    const rejection = await rejectionOf(db.one.signIn(email, WRONG, ip));
    expect(rejection.headers).toEqual({ 'retry-after': '900' });
  });
});

test('stored guesses do not contain the email and are deleted after 15 minutes', async () => {
  for (let at = 0; at < 11; at++) await guess(db.newEmail());
  advance(15 * MINUTE_MS);
  const old = await db.count('password_guesses');
  expect(old).toBeGreaterThan(20);
  let guesses = 0;
  while (20 * guesses < old) await guess(`my-password@typed-here${++guesses}.test`);
  // Each guess has two rows: one by email and one by address.
  expect(await db.count('password_guesses')).toBe(2 * guesses);
  expect(await db.dump()).not.toContain('typed-here');
});

test('a guess whose verification fails with an error does not count', async () => {
  await expect(db.one.passwords.verify(['operator:x'], 'no hash at all', PASSWORD)).rejects.toThrow();
  expect(await db.source.query(`select 1 from password_guesses where subject = 'operator:x'`)).toEqual([]);
});

describe('lockout rules', () => {
  test.each([
    ['192.0.2.1', 'network:192.0.2.1'],
    ['::1', 'network:0:0:0:0::/64'],
    ['2001:db8::1', 'network:2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:2:3:4', 'network:2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:7::', 'network:1:2:3:4::/64'],
    ['fe80::1%eth0', 'network:fe80:0:0:0::/64'],
    ['::ffff:c000:201', 'network:192.0.2.1'],
    ['unknown', 'network:unknown'],
  ])('guesses from %s count as %s', (ip, subject) => expect(networkSubject(ip)).toBe(subject));

  test('an invalid address is counted by its first 64 characters', () =>
    expect(networkSubject('x'.repeat(16_000))).toBe(`network:${'x'.repeat(64)}`));

  test('different emails have different subjects', () => expect(emailSubject('a@b')).not.toBe(emailSubject('a@c')));

  test.each([
    [[], 0],
    [[10, 20, 30, 40], 0],
    [[50, 10, 40, 20, 30], 10 + 15 * MINUTE_MS - 1000],
    [[0, 0, 10, 20, 30, 40, 50], 10 + 15 * MINUTE_MS - 1000],
  ])('after guesses at %j the wait is %d ms', (guesses, wait) => expect(waitMs(guesses, 1000)).toBe(wait));
});
