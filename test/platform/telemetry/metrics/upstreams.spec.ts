import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Config } from '../../../../src/platform/config/config.js';
import { ModelCatalog } from '../../../../src/model-policy/catalog.service.js';
import { keepOrder } from '../../../support/describe-in-order.js';
import { lintedHere } from '../../../support/promtool.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';
import { startUpstream, type ScriptedUpstream } from '../../../support/scripted-upstream.js';
import { until } from '../../../support/until.js';
import { UpstreamsFile, type UpstreamEntry } from '../../../support/upstreams-file.js';

const CHAT = '/v1/chat/completions';
/** Metrics without a series if there is a single account. */
const OF_SEVERAL =
  /^gateway_(upstreams_|object_owner_|upstream_(attempts_total|failovers_total|running|waiting|share|draining|refused)\b)/m;

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let entries: readonly UpstreamEntry[];
let file: UpstreamsFile;
let metered: MeteredGateway;
beforeAll(async () => {
  [first, second] = await Promise.all([startUpstream(), startUpstream()]);
  entries = [
    { name: 'first', base_url: first.url },
    { name: 'second', base_url: second.url, connections: 5 },
  ];
  file = new UpstreamsFile({ upstreams: entries });
  metered = await startMetered(file.env, { upstream: first });
  await until(() => metered.gateway.app.get(ModelCatalog).complete);
});
afterAll(async () => {
  await metered.stop();
  await Promise.all([first.stop(), second.stop()]);
  file[Symbol.dispose]();
});

const upstreams = (name: string, value: number) =>
  metered.scrapedUntil((now) => now.sum(`gateway_upstream_${name}`, { upstream: 'first' }) === value);

function reload(content: readonly UpstreamEntry[]): void {
  file.write({ upstreams: content });
  const source = metered.gateway.app.get(Config).upstreams!;
  const read = source.read();
  if ('problems' in read) source.reloads.fail();
  else source.reloads.apply(read.file);
}

// Each test changes the figures of the upstreams.
keepOrder();

test('every upstream has its series from the start, and their names follow the conventions', async () => {
  const now = await metered.scrape();
  for (const name of ['attempts_total', 'failovers_total', 'running', 'waiting', 'share', 'draining', 'refused'])
    expect(now.of(`gateway_upstream_${name}`).map(({ labels, value }) => [labels, value])).toEqual([
      [{ upstream: 'first' }, name === 'share' ? 1 : 0],
      [{ upstream: 'second' }, name === 'share' ? 1 : 0],
    ]);
  expect(now.of('gateway_upstream_breaker_open').map(({ labels }) => labels)).toEqual([
    { upstream: 'first' },
    { upstream: 'second' },
  ]);
  expect(now.of('gateway_object_owner_failures_total').map(({ labels }) => labels)).toEqual([
    { operation: 'read' },
    { operation: 'write' },
  ]);
  expect(lintedHere(now.text)).toEqual([]);
});

test('attempts and failovers count for the upstream that was tried, whose share drops', async () => {
  const key = await metered.gateway.createKey();
  first.on('POST', CHAT, () => ({ status: 429, headers: { 'retry-after': '60' }, body: {} }));
  expect((await metered.gateway.chat(key)).status).toBe(200);
  const now = await upstreams('attempts_total', 1);
  const valuesOf = (name: string) => now.of(`gateway_upstream_${name}`).map(({ value }) => value);
  expect([valuesOf('attempts_total'), valuesOf('failovers_total'), valuesOf('share')]).toEqual([
    [1, 1],
    [1, 0],
    [0, 1],
  ]);
});

test('a request that uses a connection is running until it ends', async () => {
  const key = await metered.gateway.createKey();
  const { promise, resolve } = Promise.withResolvers<void>();
  second.on('POST', CHAT, async () => {
    await promise;
    return { status: 400, body: {} };
  });
  const response = metered.gateway.chat(key);
  const running = (now: Awaited<ReturnType<MeteredGateway['scrape']>>) =>
    now.sum('gateway_upstream_running', { upstream: 'second' });
  await metered.scrapedUntil((now) => running(now) === 1);
  resolve();
  await response;
  await metered.scrapedUntil((now) => running(now) === 0);
});

test('a drain is visible while it lasts', async () => {
  await metered.gateway.admin('POST', '/admin/upstreams/first/drain');
  await upstreams('draining', 1);
  await metered.gateway.admin('POST', '/admin/upstreams/first/resume');
  await upstreams('draining', 0);
});

test('a rejected credential is visible until the model list can be read', async () => {
  first.on('GET', '/v1/models', () => ({ status: 401, body: {} }));
  await metered.gateway.admin('POST', '/admin/cache/purge');
  await upstreams('refused', 1);
  first.reset();
  await metered.gateway.admin('POST', '/admin/cache/purge');
  await upstreams('refused', 0);
});

test('a failed reload is visible, and a later one removes the series of removed upstreams', async () => {
  const loadedAt = async () => (await metered.scrape()).sum('gateway_upstreams_loaded_timestamp_seconds');
  const before = await loadedAt();
  expect(Math.abs(before - Date.now() / 1000)).toBeLessThan(600);
  reload([{ name: 'Wrong!' }]);
  await metered.scrapedUntil((now) => now.sum('gateway_upstreams_reload_failed') === 1);
  expect(await loadedAt()).toBe(before);
  reload([entries[1]!]);
  const now = await metered.scrapedUntil((scrape) => scrape.sum('gateway_upstreams_reload_failed') === 0);
  expect([...now.valuesOf('upstream')]).toEqual(['second']);
  expect(await loadedAt()).toBeGreaterThan(before);
});

test('without GW_UPSTREAMS none of these metrics has a series', async () => {
  const single = await startMetered({}, { upstream: first });
  const { text } = await single.scrape();
  await single.stop();
  expect(text).toMatch(/^gateway_upstream_breaker_open/m);
  expect(text).not.toMatch(OF_SEVERAL);
});
