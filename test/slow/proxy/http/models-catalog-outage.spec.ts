import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../support/until.js';
import { TestGateway, type Key } from '../../../support/gateway.js';
import { createScratchDatabase } from '../../../support/scratch-database.js';
import type { Script } from '../../../../sandbox/src/scripted/scripted-provider.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { errorCodeIn } from '../../../support/responses.js';

const FAILURES: readonly [what: string, script: Script][] = [
  ['status 500', (_request, response) => void response.writeHead(500).end()],
  ['an empty list', (_request, response) => void response.end('{"object":"list","data":[]}')],
  ['HTML', (_request, response) => void response.end('<html>')],
  ['JSON of another shape', (_request, response) => void response.end('{"data":{"id":"gpt-4o"}}')],
  ['a redirect', (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
  ['a closed connection', (_request, response) => void response.destroy()],
];
/** Shorter than every wait below, so that the gateway refetches the catalog repeatedly. */
const OFTEN = { GW_CATALOG_TTL_SECONDS: '1' };

let upstream: ScriptedUpstream;
let gateway: TestGateway;
/** The running gateways. `gateway` is the last of them. */
let open: TestGateway[];
beforeEach(async () => {
  upstream = await startUpstream();
  open = [];
});
afterEach(async () => {
  for (const one of open) await one.stop();
  await upstream.stop();
});

async function start(env: Record<string, string> = {}, databaseUrl?: string): Promise<void> {
  gateway = await TestGateway.start(env, { upstream, databaseUrl });
  open.push(gateway);
}

const listFrom = (response: Script) => upstream.on('GET', '/v1/models', response);
const listed = async (key: Key) =>
  errorCodeIn(await gateway.call('GET', '/v1/models', { key })) === '200'
    ? (await gateway.call<{ data: { id: string }[] }>('GET', '/v1/models', { key })).body.data.map(({ id }) => id)
    : [];
const purge = () => gateway.admin('POST', '/admin/cache/purge');
const catalogRequests = () => upstream.requests.filter(({ path }) => path === '/v1/models').length;

test('/health/ready reports an upstream that rejects the account until it accepts the account again', async () => {
  const readiness = async () => {
    const { status, body } = await gateway.call<{ status: string; upstream: string }>('GET', '/health/ready');
    return [status, body.status, body.upstream];
  };
  const refuse = (_request: unknown, response: Parameters<Script>[1]) => void response.writeHead(401).end();
  listFrom(refuse);
  await start();
  await until(async () => (await readiness())[2] === 'refused');
  expect(await readiness()).toEqual([200, 'degraded', 'refused']);
  upstream.reset();
  await purge();
  expect(await readiness()).toEqual([200, 'ready', 'ready']);
  // A failed client request does not affect readiness, because the request itself can be the cause.
  const key = await gateway.createKey();
  upstream.on('POST', '/v1/chat/completions', (_request, response) => void response.writeHead(401).end());
  expect((await gateway.chat(key)).status).toBe(502);
  expect(await readiness()).toEqual([200, 'ready', 'ready']);
});

describe.each(FAILURES)('catalog request that fails with %s', (_what, received) => {
  test('a gateway without a catalog is ready, serves known models, and recovers with a purge', async () => {
    listFrom(received);
    await start();
    expect((await gateway.call('GET', '/health/ready')).status).toBe(200);
    const key = await gateway.createKey();
    await gateway.admin('POST', '/admin/model-allowlist', { model: 'acme/allowed', enabled: true });
    await gateway.admin('POST', '/admin/model-allowlist', { model: 'gpt-4o', enabled: false });
    for (const path of ['/v1/models', '/v1/models?limit=1', '/v1/models/gpt-4o-mini', '/v1/models/nope']) {
      expect(errorCodeIn(await gateway.call('GET', path, { key }))).toBe('502 upstream_error');
    }
    const chat = async (model: string) => errorCodeIn(await gateway.chat(key, { model }));
    expect(await chat('gpt-4o-mini')).toBe('200');
    expect(await chat('acme/allowed')).toBe('200');
    expect(await chat('gpt-4o')).toBe('403 model_not_available model');
    expect(await chat('acme/unknown')).toBe('403 model_not_available model');
    expect((await purge()).body).toEqual({ purged: ['keys', 'policy'] });

    listFrom((_request, response) => void response.end('{"data":[{"id":"gpt-4o-mini"},{"id":"acme/unknown"}]}'));
    expect((await purge()).body).toEqual({ purged: ['catalog', 'keys', 'policy'] });
    expect(await listed(key)).toEqual(['gpt-4o-mini', 'acme/unknown']);
    expect(await chat('acme/unknown')).toBe('200');
    expect(await chat('acme/allowed')).toBe('403 model_not_available model');
  });
});

test('the last good catalog is used during failures of any kind, even after a restart', async () => {
  const scratch = await createScratchDatabase();
  await start(OFTEN, scratch.url);
  await purge();
  const key = await gateway.createKey();
  const before = await listed(key);
  expect(before.length).toBeGreaterThan(0);
  const expectListDuringFailures = async () => {
    for (const [what, received] of FAILURES) {
      listFrom(received);
      expect([what, (await purge()).body]).toEqual([what, { purged: ['keys', 'policy'] }]);
      expect([what, await listed(key)]).toEqual([what, before]);
    }
  };
  await expectListDuringFailures();
  const soFar = catalogRequests();
  await until(() => catalogRequests() > soFar);
  expect(await listed(key)).toEqual(before);
  await open.pop()!.stop();

  await start(OFTEN, scratch.url);
  await until(async () => (await listed(key)).length > 0);
  expect(await listed(key)).toEqual(before);
  await expectListDuringFailures();
  expect((await gateway.chat(key)).status).toBe(200);
  expect(errorCodeIn(await gateway.chat(key, { model: 'nope' }))).toBe('403 model_not_available model');
  await open.pop()!.stop();
  await scratch.drop();
});

test('a catalog request without a response does not hold up other requests', async () => {
  listFrom(() => {});
  await start();
  expect((await gateway.call('GET', '/health/ready')).status).toBe(200);
  const key = await gateway.createKey();
  expect(errorCodeIn(await gateway.call('GET', '/v1/models', { key }))).toBe('502 upstream_error');
  expect((await gateway.chat(key)).status).toBe(200);
});
