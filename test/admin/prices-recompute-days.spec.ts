import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CostDayStore } from '../../src/costs/stores/cost-day.store.js';
import { insertRows, type CostRow } from '../support/cost-rows.js';
import { poll } from '../support/poll.js';
import { PricingGateway, UNPRICED_MODEL } from '../support/pricing-gateway.js';

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start();
});
afterAll(() => pricing.stop());
beforeEach(() => pricing.reset());

describe('days before costs were recorded', () => {
  /** A row with 1,000 tokens of every kind. */
  const day = (date: string, requests: number, given: Partial<CostRow> = {}): CostRow => ({
    day: date,
    keyId: pricing.key.id,
    model: UNPRICED_MODEL,
    endpoint: '',
    provider: '',
    backfilled: true,
    requests,
    unpriced: requests,
    estimated: 0,
    nanos: 0n,
    units: 1000,
    ...given,
  });
  const rows = () =>
    pricing.source.query<object[]>(
      `select day::text, model, unpriced_requests::int as unpriced, cost_nanos as nanos, backfilled from cost_daily order by day, model`,
    );
  const closeDays = async () => {
    const store = new CostDayStore(pricing.source);
    for (const open of await store.findOpen(100)) await store.close(open);
  };
  beforeEach(() => pricing.source.query(`update cost_backfill set until = '2026-07-01'`));
  afterAll(() => pricing.source.query('update cost_backfill set until = null'));

  test.each(['open', 'closed'])(
    'days without costs are priced when their model gets a price, and stay marked (%s days)',
    async (state) => {
      const done = { unpriced: 0, backfilled: true };
      await insertRows(pricing.source, [
        day('2026-06-28', 4, { model: 'gpt-4o', unpriced: 0, nanos: 7n }),
        day('2026-06-29', 3),
        day('2026-06-30', 2, { model: '' }),
        day('2026-06-30', 5),
        // Recorded since then.
        day('2026-07-01', 1, { backfilled: false, endpoint: '/v1/x', provider: 'default', unpriced: 1 }),
      ]);
      if (state === 'closed') await closeDays();
      await pricing.setPrice();
      const before = (await pricing.audited()).length;
      const { body } = await pricing.recompute({ model: UNPRICED_MODEL });
      // 1,000 input tokens for $1,000 per million, and as many output tokens for $2,000.
      expect(body).toEqual({ recomputed: 8, backfilled: 8, amount: '6', currency: 'USD', still_unpriced: 0 });
      expect(await rows()).toEqual([
        { day: '2026-06-28', model: 'gpt-4o', nanos: '7', ...done },
        { day: '2026-06-29', model: UNPRICED_MODEL, nanos: '3000000000', ...done },
        { day: '2026-06-30', model: '', unpriced: 2, nanos: '0', backfilled: true },
        { day: '2026-06-30', model: UNPRICED_MODEL, nanos: '3000000000', ...done },
        { day: '2026-07-01', model: UNPRICED_MODEL, unpriced: 1, nanos: '0', backfilled: false },
      ]);
      const audit = await pricing.audited();
      expect(audit).toHaveLength(before + 1);
      expect(audit[0]!.metadata).toMatchObject({ model: UNPRICED_MODEL, recomputed: 8, backfilled: 8, amount: '6' });
      expect((await pricing.recompute()).body).toMatchObject({ recomputed: 0, still_unpriced: 2 });
    },
  );

  test('a filter selects days without costs by their noon, and by the upstream whose price applies', async () => {
    await insertRows(pricing.source, [day('2026-06-28', 1), day('2026-06-29', 2), day('2026-06-30', 4)]);
    await closeDays();
    await pricing.setPrice({ provider: 'default' });
    const counts = async (filter: object) => (await pricing.recompute(filter)).body['backfilled'];
    expect(await counts({ since: '2026-06-30T12:00:00.001Z' })).toBe(0);
    expect(await counts({ until: '2026-06-28T11:59:59Z' })).toBe(0);
    expect(await counts({ provider: 'messages' })).toBe(0);
    expect(await counts({ since: '9999-12-31T23:59:59Z' })).toBe(0);
    expect(await counts({ until: '0001-01-01' })).toBe(0);
    expect(await counts({ since: '2026-06-29', until: '2026-06-29T12:00:00Z' })).toBe(2);
    expect(await counts({ provider: 'default', since: '2026-06-30T12:00:00Z' })).toBe(4);
    expect(await counts({})).toBe(1);
  });

  test('each day has the price of that day, and a lower bound is replaced', async () => {
    await insertRows(pricing.source, [day('2026-06-28', 1, { nanos: 1_000_000_000n }), day('2026-06-30', 1)]);
    await pricing.setPrice({ valid_to: '2026-06-29' });
    await pricing.setPrice({ valid_from: '2026-06-29', prices: { input: '1' } });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '2', still_unpriced: 1 });
    await pricing.setPrice({ valid_from: '2026-06-29T01:00:00Z', prices: { input: '1', output: '1' } });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '0.002', still_unpriced: 0 });
  });

  test('days without a price are listed by model until they have one', async () => {
    await insertRows(pricing.source, [
      day('2026-06-28', 1),
      day('2026-06-30', 4),
      day('2026-06-30', 9, { model: 'rare' }),
    ]);
    await closeDays();
    const { backfilled } = await pricing.missing();
    const tokens = { input_tokens: 1000, output_tokens: 1000, unpriced_kinds: ['input', 'output'] };
    expect(backfilled).toEqual([
      { model: 'rare', requests: 9, first_day: '2026-06-30', last_day: '2026-06-30', ...tokens },
      {
        model: UNPRICED_MODEL,
        requests: 5,
        first_day: '2026-06-28',
        last_day: '2026-06-30',
        ...tokens,
        input_tokens: 2000,
        output_tokens: 2000,
      },
    ]);
    await pricing.setPrice({ model: '*' });
    await pricing.recompute();
    await closeDays();
    expect(await pricing.missing()).toMatchObject({ backfilled: [] });
  });
});

describe('a request with several models', () => {
  test('a request with several models waits for the price of the model that lacks one', async () => {
    const [own, tool] = ['gpt-4o-mini', 'gpt-image-2.6-sunburst'];
    const usage = { input_tokens: 9, output_tokens: 3, total_tokens: 12 };
    pricing.upstream.on('POST', '/v1/responses', () => ({
      body: {
        id: 'resp_1',
        object: 'response',
        created_at: 1,
        status: 'completed',
        model: own,
        output: [],
        usage,
        tool_usage: { image_gen: { input_tokens: 100, output_tokens: 50 } },
      },
    }));
    const body = { model: own, input: 'Draw a tree', tools: [{ type: 'image_generation' }] };
    expect((await pricing.gateway.call('POST', '/v1/responses', { key: pricing.key, body })).status).toBe(200);
    await poll(() => pricing.waiting()).toBe(1);
    // $0.15 and $0.60 per million tokens.
    const ownNanos = 9 * 150 + 3 * 600;
    expect(await pricing.totals()).toEqual({ requests: '1', unpriced: '1', nanos: String(ownNanos) });
    expect((await pricing.missing()).models).toMatchObject([{ model: tool, requests: 1 }]);
    await pricing.setPrice({ model: 'gpt-image-2.6-*', prices: { input: '1', image_output: '3' } });
    expect((await pricing.missing()).models).toMatchObject([{ model: tool, unpriced_kinds: [] }]);
    expect((await pricing.recompute({ model: tool })).body).toMatchObject({ recomputed: 1, amount: '0.00025' });
    expect(await pricing.totals()).toEqual({ requests: '1', unpriced: '0', nanos: String(ownNanos + 250_000) });
  });
});
