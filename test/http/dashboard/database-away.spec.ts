import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Database } from '../../../src/database/database.service.js';
import { FickleProxy } from '../../support/fickle-proxy.js';
import { until } from '../../support/until.js';
import { TestGateway } from '../../support/gateway.js';
import { OPERATOR_PASSWORD, OperatorSession, signIn } from '../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { refusalIn } from '../../support/answers.js';

/** D22, and room for a busy machine. */
const WAIT_MS_MAX = 2500;
const FOUND_MS_MAX = 5000;
const AWAY = '503 service_unavailable';

let scratch: ScratchDatabase;
let proxy: FickleProxy;
let gateway: TestGateway;
let session: OperatorSession;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  proxy = await FickleProxy.start(scratch.url);
  gateway = await TestGateway.start({}, { databaseUrl: proxy.url });
  session = await OperatorSession.of(gateway, 'viewer');
});
afterAll(async () => {
  proxy.resume();
  await gateway.stop();
  await proxy.goAway().catch(() => undefined);
  await scratch.drop();
});

/** What session and sign-in are answered, and how long the slower one took. */
async function tried(): Promise<{ refusals: string[]; ms: number }> {
  const begun = performance.now();
  const answers = await Promise.all([
    session.call('GET', '/admin/api-keys'),
    session.call('GET', '/dashboard/session'),
    signIn(gateway, session.operator.email, OPERATOR_PASSWORD),
  ]);
  return { refusals: answers.map(refusalIn), ms: performance.now() - begun };
}

test('while the database is away a session and a sign-in are 503, never 401, and all is well once it is back', async () => {
  await proxy.goAway();
  expect((await tried()).refusals).toEqual([AWAY, AWAY, AWAY]);
  await proxy.comeBack();
  await until(async () => (await tried()).refusals.every((refusal) => refusal === '200'), FOUND_MS_MAX);
});

test('while it hangs nobody waits longer than two seconds for the same answer', async () => {
  proxy.hang();
  const { refusals, ms } = await tried();
  proxy.resume();
  expect(refusals).toEqual([AWAY, AWAY, AWAY]);
  expect(ms).toBeLessThan(WAIT_MS_MAX);
});

test('a job that is asked for while it hangs is refused within the same time, and at once where that is known', async () => {
  const asked = async () => {
    const begun = performance.now();
    const refusal = refusalIn(await gateway.admin('POST', '/admin/jobs/daily/run'));
    return { refusal, ms: performance.now() - begun };
  };
  // One under way is joined without asking the database.
  await until(async () => {
    const { status, text } = await gateway.admin('GET', '/admin/jobs');
    return status === 200 && !text.includes('running');
  }, FOUND_MS_MAX);
  proxy.hang();
  const hanging = await asked();
  const database = gateway.app.get(Database);
  await until(() => database.state === 'away', FOUND_MS_MAX);
  const known = await asked();
  proxy.resume();
  expect([hanging.refusal, known.refusal]).toEqual([AWAY, AWAY]);
  expect(hanging.ms).toBeLessThan(WAIT_MS_MAX);
  expect(known.ms).toBeLessThan(500);
});
