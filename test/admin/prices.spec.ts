import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { errorCodeIn, errorIn } from '../support/responses.js';
import { TestGateway } from '../support/gateway.js';
import { poll } from '../support/poll.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const JULY = '2026-07-01T00:00:00.000Z';
const AUGUST = '2026-08-01T00:00:00.000Z';
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
beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await source.query('delete from model_prices');
  await poll(() => lookup(`model=${MODEL}`).then(({ status }) => status)).toBe(404);
});

const set = (body: object) => gateway.admin<Price>('POST', '/admin/prices', body);
const list = async (query = '') => (await gateway.admin<Page>('GET', `/admin/prices${query}`)).body;
const lookup = (query: string) => gateway.admin('GET', `/admin/prices/lookup?${query}`);
const countPrices = async () => (await list()).total;

describe('POST /admin/prices', () => {
  test('sets a price with every field, which the list shows as it was given', async () => {
    const terms = {
      provider: 'default',
      model: MODEL,
      valid_from: JULY,
      valid_to: '2999-01-01T00:00:00.000Z',
      prices: { input: '2.5', cached_input: '0.0375', output: '10' },
      currency: 'USD',
      note: 'Contract',
      tiers: [{ above: 200_000, prices: { input: '5' } }],
      images: [{ size: '1024x1024', quality: null, price: '40000' }],
      factors: [{ service_tier: 'flex', region: null, multiplier: '0.5' }],
      hours: '16:30-00:30',
    };
    const { status, body } = await set(terms);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...terms,
      id: UUID,
      list: null,
      state: 'active',
      created_at: TIME,
      created_by: 'admin_key',
      tiers: [{ above: 200_000, prices: { input: '5', cached_input: '0.0375', output: '10' } }],
    });
    expect(await list()).toEqual({ total: 1, has_more: false, prices: [body] });
  });

  test('a price applies to all upstreams from now on by default', async () => {
    const before = Date.now();
    const { body } = await set({ model: MODEL, prices: { input: '1' } });
    expect(body).toMatchObject({
      provider: '*',
      valid_to: null,
      note: null,
      tiers: [],
      images: [],
      factors: [],
      hours: null,
    });
    expect(Date.parse(body.valid_from)).toBeGreaterThanOrEqual(before);
  });

  test('the later of two prices wins while it applies, and deleting it restores the earlier one', async () => {
    await set({ model: MODEL, valid_from: JULY, prices: { input: '1' } });
    const offer = { valid_from: AUGUST, valid_to: '2026-09-01', prices: { input: '0.5' } };
    const { body } = await set({ model: MODEL, ...offer });
    const inputAt = async (at: string) =>
      ((await lookup(`model=${MODEL}&at=${at}`)).body as { prices?: Record<string, string> }).prices?.['input'];
    expect(await Promise.all(['2026-07-31', '2026-08-15', '2026-09-01', '2026-06-30'].map(inputAt))).toEqual([
      '1',
      '0.5',
      '1',
      undefined,
    ]);
    expect((await gateway.admin('DELETE', `/admin/prices/${body.id}`)).body).toEqual({ id: body.id, deleted: true });
    expect(await inputAt('2026-08-15')).toBe('1');
    expect(errorCodeIn(await gateway.admin('DELETE', `/admin/prices/${body.id}`))).toBe('404 not_found');
  });

  test('a price with hours of the day applies at these hours, and the price without hours at others', async () => {
    await set({ model: MODEL, valid_from: AUGUST, prices: { input: '2' } });
    const { body } = await set({ model: MODEL, valid_from: AUGUST, hours: '16:30-00:30', prices: { input: '1' } });
    expect(body).toMatchObject({ hours: '16:30-00:30', state: 'active', prices: { input: '1' } });
    const termsAt = async (at: string) => (await lookup(`model=${MODEL}&at=${at}`)).body;
    expect(await termsAt('2026-08-15T16:30:00Z')).toMatchObject({ hours: '16:30-00:30', prices: { input: '1' } });
    expect(await termsAt('2026-08-15T16:29:59Z')).toMatchObject({ hours: null, prices: { input: '2' } });
    const overlapping = { model: MODEL, valid_from: AUGUST, hours: '00:00-02:00', prices: { input: '1' } };
    expect(errorCodeIn(await gateway.admin('POST', '/admin/prices', overlapping))).toBe(
      '400 validation_error valid_from',
    );
    expect((await set({ ...overlapping, hours: '00:30-02:00' })).status).toBe(201);
  });

  test('an audit row records each new and each deleted price', async () => {
    const { body } = await set({ model: MODEL, valid_from: JULY, prices: { input: '1.5' }, note: 'n' });
    await gateway.admin('DELETE', `/admin/prices/${body.id}`);
    const rows = await source.query<{ action: string; metadata: object }[]>(
      'select action, metadata from audit_logs where target_id = $1 order by created_at',
      [body.id],
    );
    expect(rows.map(({ action }) => action)).toEqual(['price.created', 'price.deleted']);
    for (const { metadata } of rows)
      expect(metadata).toMatchObject({
        model: MODEL,
        provider: '*',
        note: 'n',
        valid_from: JULY,
        valid_to: null,
        terms: { prices: { input: 1_500_000_000 } },
      });
  });

  test.each([
    ['a negative price', { prices: { input: '-1' } }, 'prices.input', 'at least 0'],
    ['a number instead of text', { prices: { input: 2.5 } }, 'prices.input', 'a string with a decimal number'],
    ['seven decimals', { prices: { input: '0.1234567' } }, 'prices.input', 'at most 6 decimals'],
    ['text', { prices: { output: 'cheap' } }, 'prices.output', 'a decimal number of dollars'],
    ['an exponent', { prices: { output: '1e3' } }, 'prices.output', 'a decimal number of dollars'],
    ['a price that is too high', { prices: { output: '999999999' } }, 'prices.output', 'at most 9007199.25474'],
    ['an unknown kind', { prices: { inputs: '1' } }, 'prices', "'inputs' is unknown: did you mean 'input'"],
    ['a kind of another tool', { prices: { cache_read: '1' } }, 'prices', "did you mean 'cached_input'"],
    ['a kind that is like no other', { prices: { quantum: '1' } }, 'prices', 'the kinds are input, cached_input'],
    ['no prices', { prices: {} }, 'prices', 'at least one kind'],
    ['absent prices', {}, 'prices', 'at least one kind'],
    ['another currency', { prices: { input: '1' }, currency: 'EUR' }, 'currency', 'does not convert currencies'],
    ['an unknown upstream', { prices: { input: '1' }, provider: 'azure' }, 'provider', "'default', 'messages'"],
    ['an end before the start', { prices: { input: '1' }, valid_to: '2020-01-01' }, 'valid_to', 'after'],
    ['an invalid time', { prices: { input: '1' }, valid_from: 'tomorrow' }, 'valid_from', 'ISO 8601'],
    ['hours in another form', { prices: { input: '1' }, hours: '4pm-8pm' }, 'hours', 'such as "16:30-00:30"'],
    ['hours that are a number', { prices: { input: '1' }, hours: 16 }, 'hours', 'a string'],
    ['an unknown field', { prices: { input: '1' }, price: '1' }, 'price', "does not accept 'price'"],
    ['an unknown list', { list: 'acme' }, 'list', "'maker'"],
    ['a list and prices', { list: 'openai', prices: { input: '1' } }, 'prices', "absent, because 'list'"],
    [
      'unordered tiers',
      {
        prices: { input: '1' },
        tiers: [
          { above: 9, prices: { input: '2' } },
          { above: 9, prices: {} },
        ],
      },
      'tiers[1].above',
      'ascending',
    ],
    [
      'a wrong price in a tier',
      { prices: { input: '1' }, tiers: [{ above: 9, prices: { input: '-2' } }] },
      'tiers[0].prices.input',
      'at least 0',
    ],
    ['an image without a price', { images: [{ size: 'x' }] }, 'images[0].price', 'a string'],
    [
      'a factor of two things',
      { prices: { input: '1' }, factors: [{ service_tier: 'flex', region: 'us', multiplier: '1' }] },
      'factors',
      "either 'service_tier' or 'region'",
    ],
    ['a note that is not text', { prices: { input: '1' }, note: 7 }, 'note', 'a string'],
  ])('refuses %s and names it', async (_case, body: object, param, text) => {
    const response = await set({ model: MODEL, ...body });
    expect(errorCodeIn(response)).toBe(`400 validation_error ${param}`);
    expect(errorIn(response).message).toContain(text);
    expect(await countPrices()).toBe(0);
  });

  test('refuses a missing model, and a second price that begins at the same time', async () => {
    expect(errorCodeIn(await set({ prices: { input: '1' } }))).toBe('400 validation_error model');
    const { body } = await set({ model: MODEL, valid_from: JULY, prices: { input: '1' } });
    const response = await set({ model: MODEL, valid_from: JULY, prices: { input: '2' } });
    expect(errorCodeIn(response)).toBe('400 validation_error valid_from');
    expect(errorIn(response).message).toContain(`the price ${body.id} of the same model and upstream begins then`);
    expect((await set({ model: MODEL, provider: 'default', valid_from: JULY, prices: { input: '2' } })).status).toBe(
      201,
    );
  });

  test('concurrent requests cannot set overlapping prices', async () => {
    const body = { model: MODEL, valid_from: JULY, valid_to: AUGUST, prices: { input: '1' } };
    const responses = await Promise.all(Array.from({ length: 8 }, () => set(body)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
    expect(await countPrices()).toBe(1);
  });
});

describe('GET /admin/prices', () => {
  test('lists prices by model, the newest first, with filters and pages', async () => {
    await set({ model: 'b', prices: { input: '1' } });
    await set({ model: 'a', valid_from: JULY, prices: { input: '1' } });
    await set({ model: 'a', valid_from: AUGUST, prices: { input: '1' } });
    await set({ model: 'a*', provider: 'messages', valid_from: '2999-01-01', prices: { input: '1' } });
    const rows = async (query: string) => (await list(query)).prices.map(({ model, state }) => `${model} ${state}`);
    expect(await rows('')).toEqual(['a active', 'a superseded', 'a* scheduled', 'b active']);
    expect(await rows('?model=a')).toEqual(['a active', 'a superseded', 'a* scheduled']);
    expect(await rows('?model=a-2026-01-31')).toEqual(['a active', 'a superseded', 'a* scheduled']);
    expect(await rows('?provider=messages')).toEqual(['a* scheduled']);
    expect(await list('?limit=1&offset=1')).toMatchObject({
      total: 4,
      has_more: true,
      prices: [{ state: 'superseded' }],
    });
  });
});

describe('POST /admin/prices/import', () => {
  const importPrices = (prices: unknown) => gateway.admin<Page>('POST', '/admin/prices/import', { prices });

  test('sets all prices', async () => {
    const prices = Array.from({ length: 300 }, (_, n) => ({ model: `m-${n}`, prices: { input: `0.${n + 1}` } }));
    const { status, body } = await importPrices(prices);
    expect([status, body.prices.length, await countPrices()]).toEqual([201, 300, 300]);
    expect(body.prices[7]).toMatchObject({ model: 'm-7', prices: { input: '0.8' } });
  });

  test.each([
    ['a wrong price', { model: 'c', prices: { input: '-1' } }, 'prices[1].prices.input'],
    ['a missing model', { prices: { input: '1' } }, 'prices[1].model'],
    ['an unknown field', { model: 'c', prices: { input: '1' }, x: 1 }, 'prices[1].x'],
    ['text instead of a price', 'c', 'prices[1]'],
    ['the start of an earlier row', { model: 'a', valid_from: JULY, prices: { input: '1' } }, 'prices[1].valid_from'],
  ])('sets none if one row has %s, and names the row', async (_case, row, param) => {
    const response = await importPrices([{ model: 'a', valid_from: JULY, prices: { input: '1' } }, row]);
    expect(errorCodeIn(response)).toBe(`400 validation_error ${param}`);
    expect(await countPrices()).toBe(0);
  });

  test('sets none if a row conflicts with a stored price', async () => {
    await set({ model: 'a', valid_from: JULY, valid_to: AUGUST, prices: { input: '1' } });
    const rows = [
      { model: 'b', prices: { input: '1' } },
      { model: 'a', valid_from: '2026-07-15', valid_to: '2026-09-01', prices: { input: '1' } },
    ];
    expect(errorCodeIn(await importPrices(rows))).toBe('400 validation_error prices[1].valid_from');
    expect(await countPrices()).toBe(1);
  });

  test('refuses a body without rows', async () => {
    expect(errorCodeIn(await importPrices([]))).toBe('400 validation_error prices');
    expect(errorCodeIn(await importPrices(undefined))).toBe('400 validation_error prices');
    expect(errorCodeIn(await importPrices({ model: 'a' }))).toBe('400 validation_error prices');
  });
});

describe('DELETE /admin/prices/{id}', () => {
  test('an unknown price cannot be deleted', async () => {
    for (const id of [randomUUID(), 'x'])
      expect(errorCodeIn(await gateway.admin('DELETE', `/admin/prices/${id}`))).toBe('404 not_found');
  });
});
