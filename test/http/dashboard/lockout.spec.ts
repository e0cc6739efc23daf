import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Clock } from '../../../src/clock/clock.js';
import { TestGateway } from '../../support/gateway.js';
import { createOperator, OPERATOR_PASSWORD, signIn } from '../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { refusalIn } from '../../support/answers.js';

const WINDOW_MS = 15 * 60_000;
const WRONG = '401 invalid_credentials';
const LOCKED = '429 rate_limit_exceeded';

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let gateways: [TestGateway, TestGateway];
beforeAll(async () => {
  upstream = await startUpstream();
  scratch = await createScratchDatabase();
  const start = () => TestGateway.start({ GW_TRUST_PROXY: '127.0.0.1' }, { upstream, databaseUrl: scratch.url });
  gateways = [await start(), await start()];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await upstream.stop();
  await scratch.drop();
});

let networks = 0;
/** An address that nobody has guessed from. */
const address = () => `198.51.${++networks}.7`;
const guess = (email: string, from: string, password = 'Wrong-horse-battery-9', gateway = gateways[0]) =>
  signIn(gateway, email, password, { 'x-forwarded-for': from });
const operator = async () => (await createOperator(gateways[0], 'viewer')).email;
const failures = async () =>
  Number(
    (
      await gateways[0].app
        .get(DataSource)
        .query<[{ count: string }]>(`select count(*) from audit_logs where action = 'admin.login_failed'`)
    )[0].count,
  );

describe('after five wrong passwords', () => {
  test('for one e-mail the sixth is 429 from any address, the right one too, and tells for how long', async () => {
    const email = await operator();
    for (let at = 0; at < 5; at++) expect(refusalIn(await guess(email, address()))).toBe(WRONG);
    const locked = await guess(email.toUpperCase(), address(), OPERATOR_PASSWORD);
    expect(refusalIn(locked)).toBe(LOCKED);
    const seconds = Number(locked.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(WINDOW_MS / 1000 - 60);
    expect(seconds).toBeLessThanOrEqual(WINDOW_MS / 1000);
    expect((await guess(await operator(), address(), OPERATOR_PASSWORD)).status).toBe(200);
  });

  test('from one address the sixth is 429 for any e-mail, of nobody too', async () => {
    const from = address();
    for (let at = 0; at < 5; at++) expect(refusalIn(await guess(`nobody-${at}@example.com`, from))).toBe(WRONG);
    const email = await operator();
    expect(refusalIn(await guess(email, from, OPERATOR_PASSWORD))).toBe(LOCKED);
    expect((await guess(email, address(), OPERATOR_PASSWORD)).status).toBe(200);
  });

  test('a quarter of an hour later guesses are looked at again', async () => {
    const email = await operator();
    for (let at = 0; at < 5; at++) await guess(email, address());
    expect(refusalIn(await guess(email, address(), OPERATOR_PASSWORD))).toBe(LOCKED);
    for (const { app } of gateways) app.get(Clock).now = () => Date.now() + WINDOW_MS + 1000;
    try {
      expect((await guess(email, address(), OPERATOR_PASSWORD)).status).toBe(200);
    } finally {
      for (const { app } of gateways) app.get(Clock).now = () => Date.now();
    }
  });

  test('the answer of the lockout writes no audit row', async () => {
    const email = await operator();
    const before = await failures();
    for (let at = 0; at < 8; at++) await guess(email, address());
    expect((await failures()) - before).toBe(5);
  });
});

test('a success clears the count of the e-mail', async () => {
  const email = await operator();
  for (const round of [1, 2, 3]) {
    for (let at = 0; at < 4; at++) expect([round, refusalIn(await guess(email, address()))]).toEqual([round, WRONG]);
    expect([round, (await guess(email, address(), OPERATOR_PASSWORD)).status]).toEqual([round, 200]);
  }
});

test('of guesses that come at once, to two processes, five are looked at', async () => {
  const email = await operator();
  const from = address();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => guess(email, from, `Wrong-horse-battery-${at}`, gateways[at % 2])),
  );
  const refusals = answers.map(refusalIn);
  expect(refusals.filter((refusal) => refusal === WRONG)).toHaveLength(5);
  expect(refusals.filter((refusal) => refusal === LOCKED)).toHaveLength(35);
  for (const answer of answers.filter(({ status }) => status === 429))
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});
