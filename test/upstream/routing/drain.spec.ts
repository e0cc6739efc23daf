import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { errorCodeIn } from '../../support/responses.js';
import type { Key } from '../../support/gateway.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { until } from '../../support/until.js';
import { RoutedGateway } from './routed-gateway.js';

const FILE = { upstreams: [{ name: 'first' }, { name: 'second' }] };
const PATH = '/v1/chat/completions';

describe('draining upstreams of two gateways on one database', () => {
  let database: ScratchDatabase;
  let one: RoutedGateway;
  let two: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    database = await createScratchDatabase();
    one = await RoutedGateway.start(FILE, {}, { databaseUrl: database.url });
    two = await RoutedGateway.start(FILE, {}, { databaseUrl: database.url, providers: one.providers });
    key = await one.gateway.createKey();
  });
  beforeEach(async () => {
    one.reset();
    for (const name of ['first', 'second']) await resume(name);
    for (const routed of [one, two]) {
      await until(async () => (await upstreamAt(routed)) === 'first');
      routed.reset();
    }
  });
  afterAll(async () => {
    await two.gateway.stop();
    await one.stop();
    await database.drop();
  });

  const drain = (name: string, of = one) => of.gateway.admin('POST', `/admin/upstreams/${name}/drain`);
  const resume = (name: string, of = one) => of.gateway.admin('POST', `/admin/upstreams/${name}/resume`);
  const upstreamAt = async (routed: RoutedGateway) => (await routed.gateway.chat(key)).headers.get('x-gw-upstream');
  const audited = () =>
    one.gateway.app
      .get(DataSource)
      .query<{ action: string; target_id: string }[]>(
        `select action, target_id from audit_logs where action like 'upstream.%' order by created_at`,
      );

  test('new requests go to other upstreams immediately, and soon at the other gateway', async () => {
    expect((await drain('first')).status).toBe(200);
    expect(await upstreamAt(one)).toBe('second');
    await until(async () => (await upstreamAt(two)) === 'second');
    await resume('first', two);
    expect(await upstreamAt(two)).toBe('first');
    await until(async () => (await upstreamAt(one)) === 'first');
  });

  test('a stream that runs at the drained upstream ends completely', async () => {
    let finish = () => {};
    one.provider('first').on('POST', PATH, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"a":1}\n\n');
      finish = () => response.end('data: [DONE]\n\n');
    });
    const response = await fetch(`${one.gateway.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    await drain('first');
    expect(await upstreamAt(one)).toBe('second');
    finish();
    expect(await response.text()).toBe('data: {"a":1}\n\ndata: [DONE]\n\n');
    expect(response.headers.get('x-gw-upstream')).toBe('first');
  });

  test('the drained upstream is not used even if all others fail', async () => {
    await drain('first');
    one.provider('second').on('POST', PATH, () => ({ status: 503, body: {} }));
    expect((await one.gateway.chat(key)).status).toBe(502);
    expect(one.counts()).toEqual({ first: 0, second: 1 });
  });

  test('if all upstreams drain, requests return 503 with Retry-After, and no provider gets one', async () => {
    await drain('first');
    await drain('second');
    const response = await one.gateway.chat(key);
    expect([errorCodeIn(response), response.headers.get('retry-after')]).toEqual(['503 service_unavailable', '1']);
    expect(one.counts()).toEqual({ first: 0, second: 0 });
    await resume('second');
    expect(await upstreamAt(one)).toBe('second');
  });

  test('an object reaches its upstream while it drains, also if its owner is unknown', async () => {
    const provider = one.provider('first');
    provider.on('POST', '/v1/threads', () => ({ body: { id: 'thread_drain', object: 'thread' } }));
    for (const id of ['thread_drain', 'thread_old'])
      provider.on('GET', `/v1/threads/${id}`, () => ({ body: { id, object: 'thread' } }));
    expect((await one.gateway.call('POST', '/v1/threads', { key, body: {} })).status).toBe(200);
    await drain('first');
    for (const id of ['thread_drain', 'thread_old']) {
      const response = await one.gateway.call('GET', `/v1/threads/${id}`, { key });
      expect([id, response.status, response.headers.get('x-gw-upstream')]).toEqual([id, 200, 'first']);
    }
  });

  test('each change has one audit row, and a repetition has none', async () => {
    const { length } = await audited();
    await Promise.all([drain('second'), drain('second', two), drain('second')]);
    await resume('second');
    await resume('second', two);
    expect((await audited()).slice(length)).toEqual([
      { action: 'upstream.drained', target_id: 'second' },
      { action: 'upstream.resumed', target_id: 'second' },
    ]);
  });

  test('an upstream that does not exist cannot be drained', async () => {
    expect((await drain('no-such-upstream')).status).toBe(404);
  });
});
