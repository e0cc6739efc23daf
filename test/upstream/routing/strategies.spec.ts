import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key } from '../../support/gateway.js';
import { until } from '../../support/until.js';
import { respondsWith, RoutedGateway } from './routed-gateway.js';

describe('routes that choose by latency or price', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [
        { name: 'first', aliases: { fast: 'gpt-4o', cheap: 'gpt-4o' } },
        { name: 'second', aliases: { fast: 'gpt-4o', cheap: 'gpt-4o-mini' } },
      ],
      routes: [
        { models: 'cheap', upstreams: ['first', 'second'], strategy: 'price' },
        { models: '*', upstreams: ['first', 'second'], strategy: 'latency' },
      ],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  const servedBy = async (model: string) => (await routed.gateway.chat(key, { model })).headers.get('x-gw-upstream');

  test('the upstream with the lowest price serves the model', async () => {
    for (let times = 0; times < 5; times++) expect(await servedBy('cheap')).toBe('second');
    expect(routed.counts()).toEqual({ first: 0, second: 5 });
  });

  test("an operator's price changes the order", async () => {
    const price = { model: 'gpt-4o', provider: 'first', prices: { input: '0.01', output: '0.01' } };
    const { status } = await routed.gateway.admin('POST', '/admin/prices', price);
    expect(status).toBe(201);
    await until(async () => (await servedBy('cheap')) === 'first');
  });

  test('the upstream that was faster recently comes first, and a rejection moves the request to the next one', async () => {
    const latencies = (name: string) => routed.upstream(name).history.latencies;
    const served = { first: 0, second: 0 };
    for (let times = 0; times < 60; times++) {
      for (let samples = 0; samples < 20; samples++) {
        latencies('first').note('gpt-4o', 60_000);
        latencies('second').note('gpt-4o', 1);
      }
      served[(await servedBy('fast')) as keyof typeof served] += 1;
    }
    expect(served.second).toBeGreaterThan(2 * served.first);
    const { body } = await routed.gateway.admin<{ upstreams: object[] }>('GET', '/admin/upstreams');
    expect(body.upstreams).toMatchObject([{ latency_ms: expect.any(Number) }, { latency_ms: expect.any(Number) }]);
    respondsWith(routed.provider('second'), 429);
    expect(await servedBy('fast')).toBe('first');
  });

  test('the latency of a model is the average of its recent responses', async () => {
    expect(routed.upstream('first').history.latencies.of('gpt-4o-mini')).toBeNull();
    const { latencies } = routed.upstream('second').history;
    for (let times = 0; times < 50; times++) latencies.note('o1', 1_000);
    latencies.note('o1', 2_000);
    expect(latencies.of('o1')).toBeCloseTo(1_200);
  });
});
