import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../../../../src/platform/database/database.service.js';
import { FaultProxy } from '../../../support/fault-proxy.js';
import { until } from '../../../support/until.js';
import { TestGateway } from '../../../support/gateway.js';
import { OPERATOR_PASSWORD, OperatorSession, signIn } from '../../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { errorCodeIn } from '../../../support/responses.js';

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

/** Sends two requests with the session and a sign-in, and returns their results. */
async function tryAll(): Promise<string[]> {
  const responses = await Promise.all([
    session.call('GET', '/admin/api-keys'),
    session.call('GET', '/dashboard/session'),
    signIn(gateway, session.operator.email, OPERATOR_PASSWORD),
  ]);
  return responses.map(errorCodeIn);
}

test('sessions and sign-ins return 503 during a database outage, never 401, and work again after it', async () => {
  await proxy.disconnect();
  expect(await tryAll()).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
  await proxy.reconnect();
  await until(async () => (await tryAll()).every((refusal) => refusal === '200'));
});

test('sessions and sign-ins return 503 while the database hangs', async () => {
  proxy.hang();
  // The database does not respond before `resume`.
  const refusals = await tryAll();
  proxy.resume();
  expect(refusals).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
});

test('a job start is rejected while the database hangs, before and after the hang is detected', async () => {
  const startJob = async () => errorCodeIn(await gateway.admin('POST', '/admin/jobs/daily/run'));
  // Waits until no run is active, because joining one does not need the database.
  await until(async () => {
    const { status, text } = await gateway.admin('GET', '/admin/jobs');
    return status === 200 && !text.includes('running');
  });
  proxy.hang();
  const hanging = await startJob();
  const database = gateway.app.get(Database);
  await until(() => database.state === 'away');
  const known = await startJob();
  proxy.resume();
  expect([hanging, known]).toEqual([UNAVAILABLE, UNAVAILABLE]);
});
