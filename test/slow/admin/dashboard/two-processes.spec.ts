import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestGateway } from '../../../support/gateway.js';
import { OperatorSession } from '../../../support/operator-session.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { errorCodeIn } from '../../../support/responses.js';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

let upstream: ScriptedUpstream;
let scratch: ScratchDatabase;
let one: TestGateway;
let other: TestGateway;
beforeAll(async () => {
  upstream = await startUpstream();
  scratch = await createScratchDatabase();
  const start = (secret: string) =>
    TestGateway.start({ GW_SECRET_KEY: secret }, { upstream, databaseUrl: scratch.url });
  // `other` already has the next secret key, as in the middle of a rotation.
  [one, other] = [await start(key(1)), await start(`${key(2)},${key(1)}`)];
});
afterAll(async () => {
  for (const gateway of [one, other]) await gateway?.stop();
  await upstream.stop();
  await scratch.drop();
});

const PURGE = ['POST', '/admin/cache/purge'] as const;
const SIGNED_OUT = '401 missing_api_key';

test('a session and its CSRF token from one process are valid in another', async () => {
  const session = (await OperatorSession.of(one, 'admin')).at(other);
  expect((await session.call('GET', '/dashboard/session')).status).toBe(200);
  expect((await session.call(...PURGE)).status).toBe(200);
});

test('a session that ends in one process is invalid in another from the next request', async () => {
  const session = await OperatorSession.of(one, 'admin');
  expect((await session.at(other).call('DELETE', '/dashboard/session')).status).toBe(204);
  expect(errorCodeIn(await session.call('GET', '/admin/api-keys'))).toBe(SIGNED_OUT);
});

test('a new role or status of an operator applies to the next request in another process', async () => {
  const changes: [() => Record<string, unknown>, string, string][] = [
    [() => ({ role: 'viewer' }), '403 forbidden', '200'],
    [() => ({ role: 'admin' }), '200', '200'],
    [() => ({ disabled: true }), SIGNED_OUT, SIGNED_OUT],
    [() => ({ disabled: false }), SIGNED_OUT, SIGNED_OUT],
  ];
  const session = await OperatorSession.of(one, 'admin');
  for (const [fields, change, read] of changes) {
    expect((await other.admin('PATCH', `/admin/operators/${session.operator.id}`, fields())).status).toBe(200);
    expect(errorCodeIn(await session.call(...PURGE))).toBe(change);
    expect(errorCodeIn(await session.call('GET', '/admin/api-keys'))).toBe(read);
  }
});

test('deleting an operator in one process ends their session in another', async () => {
  const session = await OperatorSession.of(one, 'admin');
  expect((await other.admin('DELETE', `/admin/operators/${session.operator.id}`)).status).toBe(200);
  for (const path of ['/admin/sessions', '/admin/api-keys', '/dashboard/session'])
    expect(errorCodeIn(await session.call('GET', path))).toBe(SIGNED_OUT);
});
