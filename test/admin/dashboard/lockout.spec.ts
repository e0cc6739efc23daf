import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { TestGateway } from '../../support/gateway.js';
import { createOperator, OPERATOR_PASSWORD, signIn } from '../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';
import { errorCodeIn } from '../../support/responses.js';

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
const newAddress = () => `198.51.${++networks}.7`;
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

describe('lockout after five wrong passwords', () => {
  test('the sixth sign-in for one email returns 429 from any address, even with the right password', async () => {
    const email = await operator();
    for (let at = 0; at < 5; at++) expect(errorCodeIn(await guess(email, newAddress()))).toBe(WRONG);
    const locked = await guess(email.toUpperCase(), newAddress(), OPERATOR_PASSWORD);
    expect(errorCodeIn(locked)).toBe(LOCKED);
    const seconds = Number(locked.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(WINDOW_MS / 1000 - 60);
    expect(seconds).toBeLessThanOrEqual(WINDOW_MS / 1000);
    expect((await guess(await operator(), newAddress(), OPERATOR_PASSWORD)).status).toBe(200);
  });

  test('five failures for unknown emails lock their address for every email', async () => {
    const from = newAddress();
    for (let at = 0; at < 5; at++) expect(errorCodeIn(await guess(`nobody-${at}@example.com`, from))).toBe(WRONG);
    const email = await operator();
    expect(errorCodeIn(await guess(email, from, OPERATOR_PASSWORD))).toBe(LOCKED);
    expect((await guess(email, newAddress(), OPERATOR_PASSWORD)).status).toBe(200);
  });

  test('sign-ins that the lockout rejects are not audited', async () => {
    const email = await operator();
    const before = await failures();
    for (let at = 0; at < 8; at++) await guess(email, newAddress());
    expect((await failures()) - before).toBe(5);
  });
});

test('only five of 40 concurrent guesses to two processes are checked', async () => {
  const email = await operator();
  const from = newAddress();
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, at) => guess(email, from, `Wrong-horse-battery-${at}`, gateways[at % 2])),
  );
  const refusals = responses.map(errorCodeIn);
  expect(refusals.filter((refusal) => refusal === WRONG)).toHaveLength(5);
  expect(refusals.filter((refusal) => refusal === LOCKED)).toHaveLength(35);
  for (const response of responses.filter(({ status }) => status === 429))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
});
