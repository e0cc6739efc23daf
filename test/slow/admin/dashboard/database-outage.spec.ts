import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../../../../src/platform/database/database.service.js';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { until } from '../../../support/until.js';
import { TestGateway } from '../../../support/gateway.js';
import { OPERATOR_PASSWORD, OperatorSession, signIn } from '../../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { errorCodeIn } from '../../../support/responses.js';

/** The 2 s of D22, with a margin for a busy machine. */
const WAIT_MS_MAX = 2500;
const FOUND_MS_MAX = 5000;
const UNAVAILABLE = '503 service_unavailable';

let scratch: ScratchDatabase;
let proxy: FaultProxy;
let gateway: TestGateway;
let session: OperatorSession;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  proxy = await FaultProxy.start(scratch.url);
  gateway = await TestGateway.start({}, { databaseUrl: proxy.url });
  session = await OperatorSession.of(gateway, 'viewer');
});
afterAll(async () => {
  proxy.resume();
  await gateway.stop();
  await proxy.disconnect().catch(() => undefined);
  await scratch.drop();
});

/** Sends two requests with the session and a sign-in, and returns their results and the longest duration. */
async function tryAll(): Promise<{ refusals: string[]; ms: number }> {
  const begun = performance.now();
  const responses = await Promise.all([
    session.call('GET', '/admin/api-keys'),
    session.call('GET', '/dashboard/session'),
    signIn(gateway, session.operator.email, OPERATOR_PASSWORD),
  ]);
  return { refusals: responses.map(errorCodeIn), ms: performance.now() - begun };
}

test('sessions and sign-ins get 503 during a database outage, never 401, and work again after it', async () => {
  await proxy.disconnect();
  expect((await tryAll()).refusals).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
  await proxy.reconnect();
  await until(async () => (await tryAll()).refusals.every((refusal) => refusal === '200'), FOUND_MS_MAX);
});

test('sessions and sign-ins get 503 within two seconds while the database hangs', async () => {
  proxy.hang();
  const { refusals, ms } = await tryAll();
  proxy.resume();
  expect(refusals).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
  expect(ms).toBeLessThan(WAIT_MS_MAX);
});

test('a job start is rejected within two seconds if the database hangs, and immediately once the hang is detected', async () => {
  const startJob = async () => {
    const begun = performance.now();
    const refusal = errorCodeIn(await gateway.admin('POST', '/admin/jobs/daily/run'));
    return { refusal, ms: performance.now() - begun };
  };
  // Waits until no run is active, because joining one does not need the database.
  await until(async () => {
    const { status, text } = await gateway.admin('GET', '/admin/jobs');
    return status === 200 && !text.includes('running');
  }, FOUND_MS_MAX);
  proxy.hang();
  const hanging = await startJob();
  const database = gateway.app.get(Database);
  await until(() => database.state === 'away', FOUND_MS_MAX);
  const known = await startJob();
  proxy.resume();
  expect([hanging.refusal, known.refusal]).toEqual([UNAVAILABLE, UNAVAILABLE]);
  expect(hanging.ms).toBeLessThan(WAIT_MS_MAX);
  expect(known.ms).toBeLessThan(500);
});
