import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayProcess } from '../support/gateway-process.js';
import { poll } from '../support/poll.js';
import { PricingGateway, UNPRICED_MODEL } from '../support/pricing-gateway.js';
import { chatCompletion } from '../support/scripted-upstream-responses.js';
import { unpricedRows } from '../support/unpriced-rows.js';

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start();
});
afterAll(() => pricing.stop());
beforeEach(() => pricing.reset());

describe('GET /admin/prices/missing', () => {
  test('lists models that were used without a price, the most used first', async () => {
    pricing.upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion('house-1') }));
    await pricing.chats(1);
    pricing.upstream.reset();
    await pricing.chats(2);
    await poll(() => pricing.waiting()).toBe(3);
    const { total, models } = await pricing.missing();
    expect([total, models.length]).toEqual([2, 2]);
    expect(models[1]).toMatchObject({ model: 'house-1', requests: 1 });
    expect(models[0]).toEqual({
      model: UNPRICED_MODEL,
      provider: 'default',
      requests: 2,
      requests_capped: false,
      first_used_at: expect.any(String),
      last_used_at: expect.any(String),
      units: { input: 18, output: 6, requests: 2 },
      unpriced_kinds: ['input', 'output'],
    });
    expect(await pricing.missing('?limit=1&offset=7')).toEqual({ total, has_more: false, models: [], backfilled: [] });
  });

  test('shows that a price was set in the meantime, and which kinds it lacks', async () => {
    await pricing.chats(1);
    await poll(() => pricing.waiting()).toBe(1);
    await pricing.setPrice({ prices: { input: '1' } });
    expect((await pricing.missing()).models).toMatchObject([{ model: UNPRICED_MODEL, unpriced_kinds: ['output'] }]);
    await pricing.setPrice({ provider: 'default' });
    expect((await pricing.missing()).models).toMatchObject([{ model: UNPRICED_MODEL, unpriced_kinds: [] }]);
    await pricing.recompute();
    expect(await pricing.missing()).toEqual({ total: 0, has_more: false, models: [], backfilled: [] });
  });

  test('ranks many models and stops counting at 10,000 requests', async () => {
    await unpricedRows(pricing.source, { keyId: pricing.key.id, count: 10_050, model: 'many' });
    for (let n = 0; n < 30; n++)
      await unpricedRows(pricing.source, { keyId: pricing.key.id, count: n + 1, model: `m-${n}` });
    const { total, models } = await pricing.missing('?limit=2');
    expect(total).toBe(31);
    expect(models).toMatchObject([
      { model: 'many', requests: 10_000, requests_capped: true, units: { input: 90_000 } },
      { model: 'm-29', requests: 30, requests_capped: false, units: { input: 270, output: 90 } },
    ]);
  });
});

describe('a response with text that the database cannot store', () => {
  test('a response with text that the database cannot store does not stop the recording of usage', async () => {
    pricing.upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion('bad\0name\ud800') }));
    await pricing.chats(1);
    await poll(() => pricing.waiting()).toBe(1);
    expect((await pricing.missing()).models).toMatchObject([{ model: 'bad\ufffdname\ufffd', requests: 1 }]);
  });
});

describe('the event model_unpriced', () => {
  const events = () =>
    pricing.source.query<{ data: Record<string, string> }[]>(
      `select e.data from events e join notifications n on n.id = e.id where e.type = 'model_unpriced' and e.data->>'model' like 'event-%' order by 1`,
    );
  const respondAs = (model: string) =>
    pricing.upstream.on('POST', '/v1/chat/completions', () => ({ body: chatCompletion(model) }));

  test('model_unpriced is published once for each model and pricing.upstream, with a notification, by all processes together', async () => {
    const other = await GatewayProcess.start({
      DATABASE_URL: pricing.scratch.url,
      GW_UPSTREAM_BASE_URL: pricing.upstream.url,
    });
    respondAs('event-1');
    await Promise.all([
      pricing.chats(3),
      other.chat(pricing.key.key, { model: UNPRICED_MODEL }),
      other.chat(pricing.key.key, { model: UNPRICED_MODEL }),
    ]);
    await poll(() => pricing.waiting()).toBe(5);
    await poll(async () => (await events()).length).toBe(1);
    respondAs('event-2');
    await pricing.chats(1);
    await poll(async () => (await events()).map(({ data }) => data['model'])).toEqual(['event-1', 'event-2']);
    expect((await events())[0]!.data).toEqual({
      model: 'event-1',
      provider: 'default',
      message: expect.stringMatching(/has no price.*POST \/admin\/prices.*\/admin\/prices\/recompute/),
    });
    await poll(() => pricing.waiting()).toBe(6);
    await other.kill();
  });
});
