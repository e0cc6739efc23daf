import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GatewayError } from '../../src/errors/gateway-error.js';
import { emailSubject, networkSubject, waitMs } from '../../src/operators/lockout.rules.js';
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
/** One that nobody has guessed from. */
const newAddress = () => `198.51.${Math.trunc(++addresses / 250)}.${(addresses % 250) + 1}`;

/** What became of it: `ok`, or the error's code. */
function outcomeOf(signIn: Promise<unknown>): Promise<string> {
  return signIn.then(
    () => 'ok',
    (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
  );
}
const guess = (email: string, ip = newAddress(), password = WRONG, process = db.one) =>
  outcomeOf(process.signIn(email, password, ip));
const refusalOf = (signIn: Promise<unknown>) => signIn.catch((error: unknown) => error) as Promise<GatewayError>;

const advance = (ms: number) => {
  db.one.clock.nowMs += ms;
  db.other.clock.nowMs += ms;
};

test('after five wrong passwords for an e-mail the sixth guess is refused before it is looked at, from everywhere', async () => {
  const { id, email } = await db.newOperator();
  for (let at = 0; at < 5; at++) expect(await guess(at % 2 ? email : email.toUpperCase())).toBe('invalid_credentials');
  const rows = (await db.auditRows(id)).length;
  const refusal = await refusalOf(db.one.signIn(email, PASSWORD, newAddress()));
  expect(refusal).toMatchObject({ code: 'rate_limit_exceeded', status: 429, headers: { 'retry-after': '900' } });
  expect(await guess(email, newAddress(), PASSWORD, db.other)).toBe('rate_limit_exceeded');
  expect(await db.auditRows(id)).toHaveLength(rows);
});

test('an e-mail that is nobody’s is locked in the same way', async () => {
  const outcomes = [];
  for (let at = 0; at < 6; at++) outcomes.push(await guess('nobody@example.test'));
  expect(outcomes).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limit_exceeded']);
});

test.each([
  ['an IPv4 address', '203.0.113.5', '203.0.113.5', '203.0.113.6'],
  ['an IPv4 address that comes as IPv6', '::ffff:203.0.113.9', '203.0.113.9', '::ffff:203.0.113.10'],
  ['a /64 of IPv6', '2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:3::1'],
])('after five wrong passwords from %s nobody signs in from there', async (_name, first, same, another) => {
  for (let at = 0; at < 5; at++) expect(await guess(`unknown${at}@example.test`, first)).toBe('invalid_credentials');
  const { email } = await db.newOperator();
  expect(await guess(email, same, PASSWORD)).toBe('rate_limit_exceeded');
  expect(await guess(email, another, PASSWORD)).toBe('ok');
  advance(15 * MINUTE_MS);
});

describe('of guesses that come at once, over two processes, exactly five are looked at', () => {
  test('for one e-mail', async () => {
    const { id, email } = await db.newOperator();
    const guesses = Array.from({ length: 30 }, (_, at) =>
      guess(email, newAddress(), WRONG, at % 2 ? db.one : db.other),
    );
    const outcomes = await Promise.all(guesses);
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'rate_limit_exceeded')).toHaveLength(25);
    const failed = (await db.auditRows(id)).filter(({ action }) => action === 'admin.login_failed');
    expect(failed).toHaveLength(5);
  });

  test('whatever they are counted by, with nothing else in their way', async () => {
    const judge = (at: number) => (at % 2 ? db.one : db.other).passwords.judge(['operator:at-once'], null, WRONG);
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => judge(at)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('from one address, whose e-mails are locked in part already', async () => {
    const ip = newAddress();
    const locked = db.newEmail();
    for (let at = 0; at < 5; at++) await guess(locked);
    const emails = Array.from({ length: 20 }, (_, at) => (at % 4 === 0 ? locked : `many${at}@example.test`));
    const outcomes = await Promise.all(emails.map((email, at) => guess(email, ip, WRONG, at % 2 ? db.one : db.other)));
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'rate_limit_exceeded')).toHaveLength(15);
  });
});

describe('right passwords', () => {
  test('are not counted, however many come from one address, one after the other or at once', async () => {
    const ip = newAddress();
    const { email } = await db.newOperator();
    for (let at = 0; at < 6; at++) expect(await guess(email, ip, PASSWORD)).toBe('ok');
    const atOnce = await Promise.all(Array.from({ length: 12 }, () => guess(email, ip, PASSWORD)));
    expect(new Set(atOnce)).toEqual(new Set(['ok']));
  });

  test('clear the count of the e-mail, and leave that of the address', async () => {
    const ip = newAddress();
    const { email } = await db.newOperator();
    for (let at = 0; at < 4; at++) await guess(email, ip);
    expect(await guess(email, ip, PASSWORD)).toBe('ok');
    for (let at = 0; at < 4; at++) expect(await guess(email)).toBe('invalid_credentials');
    expect(await guess(email, ip)).toBe('invalid_credentials');
    expect(await guess('somebody@example.test', ip)).toBe('rate_limit_exceeded');
  });

  test('of a disabled operator are guesses like any other', async () => {
    const { id, email } = await db.newOperator();
    await db.one.operators.update(id, { disabled: true }, { type: 'system', id: null, requestId: null, ip: null });
    const outcomes = [];
    for (let at = 0; at < 6; at++) outcomes.push(await guess(email, newAddress(), PASSWORD));
    expect(outcomes).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limit_exceeded']);
  });
});

describe('the window', () => {
  test('lets one in fifteen minutes after the first of five, tells how long that is, and is not prolonged by refusals', async () => {
    const { email } = await db.newOperator();
    for (let at = 0; at < 5; at++) {
      await guess(email);
      advance(MINUTE_MS);
    }
    for (const [leftSeconds, passMs] of [
      [600, 599_001],
      [1, 999],
    ] as const) {
      const refusal = await refusalOf(db.one.signIn(email, WRONG, newAddress()));
      expect(refusal.headers).toEqual({ 'retry-after': String(leftSeconds) });
      advance(passMs);
    }
    expect(await guess(email)).toBe('invalid_credentials');
    const refusal = await refusalOf(db.one.signIn(email, WRONG, newAddress()));
    expect(refusal.headers).toEqual({ 'retry-after': '60' });
  });

  test('that is longer counts, of e-mail and address', async () => {
    const { email } = await db.newOperator();
    const ip = newAddress();
    for (let at = 0; at < 5; at++) await guess(email);
    advance(MINUTE_MS);
    for (let at = 0; at < 5; at++) await guess(`window${at}@example.test`, ip);
    const refusal = await refusalOf(db.one.signIn(email, WRONG, ip));
    expect(refusal.headers).toEqual({ 'retry-after': '900' });
  });
});

test('what is kept of a guess tells no e-mail, and goes when its window is over', async () => {
  await Promise.all(Array.from({ length: 11 }, () => guess(db.newEmail())));
  advance(15 * MINUTE_MS);
  const old = await db.count('password_guesses');
  expect(old).toBeGreaterThan(20);
  let guesses = 0;
  while (20 * guesses < old) await guess(`my-password@typed-here${++guesses}.test`);
  // Two rows each, by e-mail and by address.
  expect(await db.count('password_guesses')).toBe(2 * guesses);
  expect(await db.dump()).not.toContain('typed-here');
});

test('a guess that was not looked at after all is not counted', async () => {
  await expect(db.one.passwords.judge(['operator:x'], 'no hash at all', PASSWORD)).rejects.toThrow();
  expect(await db.source.query(`select 1 from password_guesses where subject = 'operator:x'`)).toEqual([]);
});

describe('rules', () => {
  test.each([
    ['192.0.2.1', 'network:192.0.2.1'],
    ['::1', 'network:0:0:0:0::/64'],
    ['2001:db8::1', 'network:2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:2:3:4', 'network:2001:db8:0:0::/64'],
    ['1:2:3:4:5:6:7::', 'network:1:2:3:4::/64'],
    ['fe80::1%eth0', 'network:fe80:0:0:0::/64'],
    ['::ffff:c000:201', 'network:192.0.2.1'],
    ['unknown', 'network:unknown'],
  ])('%s is counted as %s', (ip, subject) => expect(networkSubject(ip)).toBe(subject));

  test('what is no address is counted by its beginning', () =>
    expect(networkSubject('x'.repeat(16_000))).toBe(`network:${'x'.repeat(64)}`));

  test('subjects of different e-mails differ', () => expect(emailSubject('a@b')).not.toBe(emailSubject('a@c')));

  test.each([
    [[], 0],
    [[10, 20, 30, 40], 0],
    [[50, 10, 40, 20, 30], 10 + 15 * MINUTE_MS - 1000],
    [[0, 0, 10, 20, 30, 40, 50], 10 + 15 * MINUTE_MS - 1000],
  ])('after guesses at %j the wait is %d ms', (guesses, wait) => expect(waitMs(guesses, 1000)).toBe(wait));
});
