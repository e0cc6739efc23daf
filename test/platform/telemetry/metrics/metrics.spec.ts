import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { METRICS } from '../../../../src/platform/telemetry/metrics/metrics.data.js';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { chatStream } from '../../../support/scripted-upstream-responses.js';
import { startMetered, type MeteredGateway } from '../../../support/metered-gateway.js';

const CHAT = '/v1/chat/completions';
const UPSTREAM_WAITS_MS = 600;

let metered: MeteredGateway;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  metered = await startMetered();
  ({ gateway } = metered);
  key = await gateway.createKey();
  await gateway.chat(key);
});
afterAll(() => metered.stop());
beforeEach(() => gateway.upstream.reset());

const countedRequests = (labels: Record<string, string>, call: () => Promise<unknown>) =>
  metered.added('gateway_requests_total', labels, call);

describe('metrics listener', () => {
  test('exposes every declared metric and the library defaults, with their types', async () => {
    const response = await fetch(metered.metricsUrl);
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const notHere = ['gateway_workers', 'gateway_worker_restarts_total'];
    for (const [name, { type }] of Object.entries(METRICS)) {
      if (!notHere.includes(name)) expect(text).toContain(`# TYPE ${name} ${type}\n`);
    }
    expect(text).toContain('# TYPE process_resident_memory_bytes gauge');
    expect(text).toContain('# TYPE nodejs_heap_size_used_bytes gauge');
  });

  test('each series has exactly the labels that its metric declares', async () => {
    const { lines } = await metered.scrape();
    for (const { name, labels } of lines) {
      const metric = Object.keys(METRICS).find(
        (known) => known === name.replace(/_(bucket|sum|count)$/, '') || known === name,
      );
      if (metric === undefined) continue;
      const declared = [...METRICS[metric as keyof typeof METRICS].labels, ...(name.endsWith('_bucket') ? ['le'] : [])];
      expect([name, Object.keys(labels).sort()]).toEqual([name, declared.sort()]);
    }
  });

  test.each([
    ['POST', '/metrics'],
    ['HEAD', '/metrics'],
    ['GET', '/'],
    ['GET', '/metrics/'],
    ['GET', '/v1/models'],
    ['GET', '/health'],
  ])('%s %s returns 404', async (method, path) => {
    const { status } = await fetch(new URL(path, metered.metricsUrl), { method });
    expect(status).toBe(404);
  });

  test('the public port does not serve the metrics', async () => {
    expect((await gateway.call('GET', '/metrics')).status).toBe(404);
    expect((await gateway.call('GET', '/metrics', { key })).status).toBe(404);
  });
});

describe('request counter', () => {
  test('requests are counted by route, status and model', async () => {
    const labels = { route: CHAT, status: '200', model: 'gpt-4o-mini' };
    expect(await countedRequests(labels, () => gateway.chat(key))).toBe(1);
  });

  test('requests that different stages reject are counted', async () => {
    expect(
      await countedRequests({ route: CHAT, status: '401', model: 'none' }, () => gateway.chat('sk-gw-wrong')),
    ).toBe(1);
    expect(await countedRequests({ route: CHAT, status: '400' }, () => gateway.chat(key, { n: 0 }))).toBe(1);
    expect(await countedRequests({ route: 'unmatched', status: '404' }, () => gateway.call('GET', '/nowhere'))).toBe(1);
  });

  test('requests are counted by the template of their route, without IDs', async () => {
    const call = () => gateway.call('GET', '/v1/files/file-123', { key });
    expect(await countedRequests({ route: '/v1/files/{file_id}', status: '502', model: 'none' }, call)).toBe(1);
    const admin = () => gateway.admin('GET', `/admin/api-keys/${key.id}`);
    expect(await countedRequests({ route: '/admin/api-keys/{id}', status: '200', model: 'none' }, admin)).toBe(1);
  });

  test('a client disconnect before the headers or during a stream is counted as aborted', async () => {
    gateway.upstream.on('POST', CHAT, () => {});
    const leave = async (fields: object) => {
      const abort = new AbortController();
      const sent = gateway.upstream.requests.length;
      const response = gateway.chat(key, { ...fields }, { signal: abort.signal });
      await gateway.upstream.received(sent);
      abort.abort();
      await expect(response).rejects.toThrow();
    };
    expect(await countedRequests({ route: CHAT, status: 'aborted' }, () => leave({}))).toBe(1);
    const begun = Promise.withResolvers<void>();
    gateway.upstream.on('POST', CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n', () => begun.resolve());
    });
    const leaveStream = async () => {
      const abort = new AbortController();
      const response = await fetch(gateway.url + CHAT, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], stream: true }),
        signal: abort.signal,
      });
      await response.body!.getReader().read();
      expect((await metered.scrape()).sum('gateway_streams_open')).toBe(1);
      expect((await metered.scrape()).sum('gateway_requests_in_flight')).toBe(1);
      abort.abort();
    };
    expect(await countedRequests({ route: CHAT, status: 'aborted' }, leaveStream)).toBe(1);
    const after = await metered.scrapedUntil((now) => now.sum('gateway_streams_open') === 0);
    expect(after.sum('gateway_requests_in_flight')).toBe(0);
  });
});

describe('latency histograms', () => {
  /** Returns the seconds that one call adds to each histogram of the chat route. */
  async function seconds(names: readonly string[], call: () => Promise<unknown>): Promise<number[]> {
    const before = await metered.scrape();
    await metered.added('gateway_request_duration_seconds_count', { route: CHAT }, call);
    const after = await metered.scrape();
    return names.map((name) => {
      const added = (part: string) =>
        after.sum(name + part, { route: CHAT }) - before.sum(name + part, { route: CHAT });
      expect(added('_count')).toBe(1);
      return added('_sum');
    });
  }
  const ALL = ['gateway_request_duration_seconds', 'gateway_overhead_seconds', 'gateway_time_to_first_byte_seconds'];

  test('the upstream wait of a buffered response counts in all times except the overhead', async () => {
    gateway.upstream.on('POST', CHAT, async (_request, response) => {
      const body = JSON.stringify({ model: 'gpt-4o-mini', choices: [] });
      await pause(UPSTREAM_WAITS_MS);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.write(body.slice(0, 5));
      await pause(UPSTREAM_WAITS_MS);
      response.end(body.slice(5));
    });
    const [duration, overhead, firstByte] = await seconds(ALL, () => gateway.chat(key));
    expect(duration).toBeGreaterThan((1.9 * UPSTREAM_WAITS_MS) / 1000);
    expect(firstByte).toBeGreaterThan((1.9 * UPSTREAM_WAITS_MS) / 1000);
    expect(overhead).toBeGreaterThan(0);
    expect(duration! - overhead!).toBeGreaterThan((1.9 * UPSTREAM_WAITS_MS) / 1000);
  });

  test('the first byte of a stream is its first event, and its pauses are not overhead', async () => {
    gateway.upstream.on('POST', CHAT, async (_request, response) => {
      const [first = '', ...rest] = chatStream('gpt-4o-mini', true);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      await pause(UPSTREAM_WAITS_MS);
      response.write(first);
      await pause(UPSTREAM_WAITS_MS);
      response.end(rest.join(''));
    });
    const [duration, overhead, firstByte] = await seconds(ALL, () => gateway.chat(key, { stream: true }));
    expect(duration! - firstByte!).toBeGreaterThan((0.9 * UPSTREAM_WAITS_MS) / 1000);
    expect(firstByte).toBeGreaterThan((0.9 * UPSTREAM_WAITS_MS) / 1000);
    expect(duration! - overhead!).toBeGreaterThan((1.9 * UPSTREAM_WAITS_MS) / 1000);
  });

  test('the wait for a failing upstream or a slow client is not overhead', async () => {
    gateway.upstream.on('POST', CHAT, async (_request, response) => {
      await pause(UPSTREAM_WAITS_MS);
      response.destroy();
    });
    const [failed, gatewayOnly] = await seconds(ALL.slice(0, 2), () => gateway.chat(key));
    expect(failed! - gatewayOnly!).toBeGreaterThan((0.9 * UPSTREAM_WAITS_MS) / 1000);
    gateway.upstream.reset();
    const pieces = ['{"model":"gpt-4o-mini",', '"messages":[{"role":"user","content":"Hi"}]}'];
    const slowBody = new ReadableStream(
      {
        async pull(controller) {
          if (pieces.length === 1) {
            await metered.scrapedUntil((now) => now.sum('gateway_requests_in_flight') === 1);
            await pause(UPSTREAM_WAITS_MS);
          }
          controller.enqueue(Buffer.from(pieces.shift()!));
          if (pieces.length === 0) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const [duration, overhead] = await seconds(ALL.slice(0, 2), () =>
      fetch(gateway.url + CHAT, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        body: slowBody,
        duplex: 'half',
      }),
    );
    expect(duration).toBeGreaterThan((0.9 * UPSTREAM_WAITS_MS) / 1000);
    expect(duration! - overhead!).toBeGreaterThan((0.9 * UPSTREAM_WAITS_MS) / 1000);
  });
});

describe('other metrics', () => {
  test('reported tokens are counted by direction', async () => {
    const tokens = (direction: string) =>
      metered.added('gateway_tokens_total', { direction, source: 'reported' }, () => gateway.chat(key));
    expect([await tokens('input'), await tokens('output')]).toEqual([9, 3]);
  });

  test('tokens are counted as estimated if the response does not report them', async () => {
    gateway.upstream.on('POST', CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ model: 'gpt-4o-mini', choices: [{ message: { content: 'Hello there' } }] }));
    });
    const labels = { direction: 'output', source: 'estimated' };
    expect(await metered.added('gateway_tokens_total', labels, () => gateway.chat(key))).toBeGreaterThan(0);
  });

  test('admission counts one call per batch and every request in it', async () => {
    const before = await metered.scrape();
    await Promise.all(Array.from({ length: 10 }, () => gateway.chat(key)));
    const after = await metered.scrape();
    const added = (name: string, labels = {}) => after.sum(name, labels) - before.sum(name, labels);
    expect(added('gateway_admission_batch_requests_sum')).toBe(10);
    const calls = added('gateway_admission_batch_requests_count');
    expect(added('gateway_admission_batch_seconds_count', { outcome: 'settled' })).toBe(calls);
    expect(calls).toBeLessThanOrEqual(10);
    expect(after.sum('gateway_admission_waiting')).toBe(0);
  });

  test('upstream failures are counted by reason, and open connections are reported', async () => {
    const failures = (reason: string) =>
      addedByChat('gateway_upstream_failures_total', { upstream: 'default', reason });
    const addedByChat = (name: string, labels: Record<string, string>) =>
      metered.added(name, labels, () => gateway.chat(key));
    gateway.upstream.on('POST', CHAT, (_request, response) => void response.writeHead(503).end());
    expect(await failures('status')).toBe(1);
    gateway.upstream.on('POST', CHAT, (_request, response) => void response.destroy());
    expect(await failures('reset')).toBe(1);
    gateway.upstream.on('POST', CHAT, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"error":{"message":"overloaded"}}');
    });
    expect(await failures('error_object')).toBe(1);
    gateway.upstream.reset();
    await gateway.chat(key);
    expect((await metered.scrape()).sum('gateway_upstream_connections')).toBeGreaterThan(0);
    expect((await metered.scrape()).sum('gateway_upstream_failures_total', { upstream: 'messages' })).toBe(0);
  });

  test('an idle gateway reports its database, queues, event-loop lag and version', async () => {
    const now = await metered.scrapedUntil((scrape) => scrape.sum('gateway_queue_depth') === 0);
    expect(now.sum('gateway_database_up')).toBe(1);
    expect(now.sum('gateway_database_outage_owed')).toBe(0);
    expect(now.sum('gateway_info', { version: 'test' })).toBe(1);
    expect(now.sum('gateway_upstream_breaker_open')).toBe(0);
    expect(now.of('gateway_event_loop_lag_seconds').map(({ labels }) => labels.quantile)).toEqual(['0.5', '0.99', '1']);
    expect([...now.valuesOf('queue')].sort()).toEqual(
      ['samples', 'refusals', 'usage', 'estimates', 'upstream', 'body_bytes', 'parsed_bytes'].sort(),
    );
  });

  test('a request body counts in the memory for bodies until the request ends', async () => {
    const send = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('{"model":"gpt-4o-mini",'));
        await send.promise;
        controller.enqueue(Buffer.from('"messages":[]}'));
        controller.close();
      },
    });
    const response = fetch(gateway.url + CHAT, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });
    await metered.scrapedUntil((now) => now.sum('gateway_queue_depth', { queue: 'body_bytes' }) > 0);
    send.resolve();
    await (await response).text();
    await metered.scrapedUntil((now) => now.sum('gateway_queue_depth', { queue: 'body_bytes' }) === 0);
  });

  test('job runs are counted, with the time of the last success', async () => {
    const run = () => gateway.admin('POST', '/admin/jobs/daily/run');
    expect(await metered.added('gateway_job_runs_total', { name: 'daily', outcome: 'succeeded' }, run)).toBeGreaterThan(
      0,
    );
    const now = await metered.scrapedUntil(
      (scrape) => scrape.sum('gateway_job_last_success_timestamp_seconds', { name: 'daily' }) > 0,
    );
    const ageSeconds = Date.now() / 1000 - now.sum('gateway_job_last_success_timestamp_seconds', { name: 'daily' });
    expect(Math.abs(ageSeconds)).toBeLessThan(60);
  });
});
