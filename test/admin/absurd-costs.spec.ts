import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { CostDayStore } from '../../src/costs/stores/cost-day.store.js';
import { insertRows } from '../support/cost-rows.js';
import { poll } from '../support/poll.js';
import { PricingGateway, UNPRICED_MODEL } from '../support/pricing-gateway.js';

const BIGINT_MAX = 2n ** 63n - 1n;

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start();
});
afterAll(() => pricing.stop());
beforeEach(() => pricing.reset());

test('a request with an absurd cost is unpriced until its price is corrected, and other costs stay exact', async () => {
  const usage = { prompt_tokens: 2 ** 31 - 1, completion_tokens: 2 ** 31 - 1, total_tokens: 2 ** 32 - 2 };
  const prices = { input: '9007199', output: '9007199' };
  const created = await pricing.setPrice({ prices });
  await poll(
    async () => (await pricing.gateway.admin('GET', `/admin/prices/lookup?model=${UNPRICED_MODEL}`)).status,
  ).toBe(200);
  pricing.upstream.on('POST', '/v1/chat/completions', (request) => {
    const { model } = request.json() as { model: string };
    return {
      body: { id: 'c', object: 'chat.completion', model, choices: [], ...(model === UNPRICED_MODEL && { usage }) },
    };
  });
  await pricing.chats(1);
  pricing.upstream.reset();
  await pricing.chats(1, 'gpt-4o');
  await poll(pricing.totals.bind(pricing)).toEqual({ requests: '2', unpriced: '1', nanos: '52500' });
  await pricing.gateway.admin('DELETE', `/admin/prices/${created.body.id}`);
  await pricing.setPrice({ prices: { input: '1', output: '1' } });
  expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '4294.967294', still_unpriced: 0 });
});

test('reports of all keys work although the sums of a day and month would exceed the largest integer', async () => {
  const row = {
    endpoint: '/v1/x',
    provider: 'default',
    requests: 1,
    unpriced: 0,
    estimated: 0,
    backfilled: false,
    units: 2 ** 40,
    nanos: BIGINT_MAX,
    keyId: pricing.key.id,
  };
  await insertRows(pricing.source, [
    { ...row, day: '2026-06-01', model: 'a' },
    { ...row, day: '2026-06-01', model: 'b' },
    { ...row, day: '2026-06-02', model: 'c', nanos: 5n },
  ]);
  const days = new CostDayStore(pricing.source);
  const report = async () => {
    const path = '/admin/costs?since=2026-06-01&until=2026-06-03&group_by=model';
    const { status, body } = await pricing.gateway.admin<{ groups: { model: string; cost: string }[] }>('GET', path);
    return { status, costs: body.groups.map(({ model, cost }) => [model, cost]) };
  };
  const expected = {
    status: 200,
    costs: [
      ['a', '9223372036.854775807'],
      ['b', '9223372036.854775807'],
      ['c', '0.000000005'],
    ],
  };
  expect(await report()).toEqual(expected);
  for (const day of await days.findOpen(100)) await days.close(day);
  expect(await report()).toEqual(expected);
});
