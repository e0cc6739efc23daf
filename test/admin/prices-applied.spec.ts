import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Config } from '../../src/platform/config/config.js';
import { errorCodeIn } from '../support/responses.js';
import { TestGateway, type Key } from '../support/gateway.js';
import { poll } from '../support/poll.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { UpstreamsFile } from '../support/upstreams-file.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const MODEL = 'acme-custom-1';

interface Price {
  readonly id: string;
  readonly model: string;
  readonly state: string;
  readonly valid_from: string;
  readonly [field: string]: unknown;
}
interface Page {
  readonly total: number;
  readonly has_more: boolean;
  readonly prices: Price[];
}

let gateway: TestGateway;
let source: DataSource;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await source.query('delete from model_prices');
  await poll(() => lookup(`model=${MODEL}`).then(({ status }) => status)).toBe(404);
});

const set = (body: object) => gateway.admin<Price>('POST', '/admin/prices', body);
const lookup = (query: string) => gateway.admin('GET', `/admin/prices/lookup?${query}`);

describe('GET /admin/prices/lookup', () => {
  test('shows the price of an operator with the reason', async () => {
    const { body } = await set({ model: 'acme-*', prices: { input: '1', output: '4' } });
    const found = await lookup(`model=${MODEL}&provider=default`);
    expect([found.status, found.body]).toEqual([
      200,
      {
        model: MODEL,
        provider: 'default',
        at: TIME,
        source: 'operator',
        operator_price: body,
        list: null,
        region: null,
        currency: 'USD',
        prices: { input: '1', output: '4' },
        tiers: [],
        images: [],
        factors: [],
        hours: null,
        reason: 'An operator set the price of "acme-*" for all upstreams.',
      },
    ]);
  });

  test('shows a published price with its version and its factors', async () => {
    const { body } = await lookup('model=gpt-4o-mini-2024-07-18');
    expect(body).toMatchObject({
      source: 'list',
      operator_price: null,
      list: { provider: 'openai', model: 'gpt-4o-mini' },
      prices: { input: '0.15', cached_input: '0.075', output: '0.6' },
      factors: expect.arrayContaining([
        { service_tier: 'batch', region: null, multiplier: '0.5' },
        { service_tier: 'priority', region: null, multiplier: '5/3' },
      ]),
    });
    expect((body['list'] as { version: string }).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('shows the published price that an operator refers to, which follows the model', async () => {
    await set({ model: '*', provider: 'default', list: 'anthropic' });
    expect((await lookup('model=claude-3-haiku-20240307')).body).toMatchObject({
      source: 'operator',
      list: { provider: 'anthropic', model: 'claude-3-haiku' },
      prices: { input: '0.25' },
      reason: expect.stringContaining(
        'It refers to the price of "claude-3-haiku" at "anthropic" in the published list.',
      ),
    });
    expect((await lookup(`model=${MODEL}`)).status).toBe(404);
  });

  test('responds with 404 without a price, and refuses an unknown upstream or no model', async () => {
    expect(errorCodeIn(await lookup(`model=${MODEL}`))).toBe('404 not_found');
    expect(errorCodeIn(await lookup('model=gpt-4o&provider=azure'))).toBe('400 validation_error provider');
    expect(errorCodeIn(await lookup(''))).toBe('400 validation_error model');
  });
});

describe('a price', () => {
  const costs = () =>
    source.query<{ requests: string; unpriced: string; nanos: string }[]>(
      `select requests, unpriced_requests unpriced, cost_nanos nanos from cost_daily where model = $1`,
      [MODEL],
    );

  test('a price applies to requests after it was set, and never changes recorded costs', async () => {
    await set({ model: MODEL, prices: { input: '1000', output: '2000' } });
    await gateway.chat(key, { model: MODEL });
    await poll(costs).toEqual([{ requests: '1', unpriced: '0', nanos: String(9e6 + 6e6) }]);
    await set({ model: MODEL, prices: { input: '1', output: '1' } });
    await gateway.chat(key, { model: MODEL });
    await poll(costs).toEqual([{ requests: '2', unpriced: '0', nanos: String(15e6 + 12_000) }]);
  });

  test('a price stays in the list and can be deleted after its upstream was removed', async () => {
    const [first, second] = await Promise.all([startUpstream(), startUpstream()]);
    using file = new UpstreamsFile({ upstreams: [{ name: 'one', base_url: first.url }] });
    const other = await TestGateway.start(file.env);
    const priceOf = (provider: string) =>
      other.admin<Price>('POST', '/admin/prices', { model: MODEL, provider, prices: { input: '1' } });
    try {
      const { body } = await priceOf('one');
      file.write({ upstreams: [{ name: 'two', base_url: second.url }] });
      const upstreams = other.app.get(Config).upstreams!;
      const read = upstreams.read();
      if ('file' in read) upstreams.reloads.apply(read.file);
      expect((await priceOf('two')).status).toBe(201);
      expect(errorCodeIn(await priceOf('one'))).toBe('400 validation_error provider');
      const { prices } = (await other.admin<Page>('GET', '/admin/prices')).body;
      expect(prices.map(({ provider }) => provider)).toEqual(['one', 'two']);
      expect((await other.admin('DELETE', `/admin/prices/${body.id}`)).status).toBe(200);
    } finally {
      await other.stop();
      await stopAll([first, second]);
    }
  });
});

const stopAll = (upstreams: readonly ScriptedUpstream[]) => Promise.all(upstreams.map((each) => each.stop()));
