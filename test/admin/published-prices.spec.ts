import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { publishedEdition } from '../../src/costs/pricing/published-prices.js';
import { findPrice, priceListVersion } from '../../src/costs/pricing/price-list.js';
import { rowsOf } from '../../src/costs/pricing/price-list-rows.js';
import { ListedPriceStore } from '../../src/costs/stores/listed-price.store.js';
import { describeInOrder } from '../support/describe-in-order.js';
import { errorCodeIn } from '../support/responses.js';
import { TestGateway } from '../support/gateway.js';
import { poll } from '../support/poll.js';

const PATH = '/admin/prices/list';
const { version, date } = priceListVersion();

interface Published {
  readonly total: number;
  readonly has_more: boolean;
  readonly version: string;
  readonly versions: { readonly version: string; readonly date: string }[];
  readonly prices: {
    readonly provider: string;
    readonly model: string;
    readonly periods: object[];
    readonly factors: object[];
  }[];
}

let gateway: TestGateway;
let source: DataSource;
let store: ListedPriceStore;
beforeAll(async () => {
  gateway = await TestGateway.start();
  source = gateway.app.get(DataSource);
  store = gateway.app.get(ListedPriceStore, { strict: false });
  await poll(async () => (await store.versions()).length).toBe(1);
});
afterAll(() => gateway.stop());

const list = async (query = '') => (await gateway.admin<Published>('GET', `${PATH}${query}`)).body;
const counted = async () =>
  (await source.query<{ n: number }[]>('select count(*)::int n from listed_prices where version = $1', [version]))[0]!
    .n;

describeInOrder('published prices', () => {
  test('published prices are recorded once, with all models of this release', async () => {
    const { models } = publishedEdition();
    expect(await counted()).toBe(models.length);
    await Promise.all([1, 2, 3].map(() => store.add(publishedEdition())));
    expect(await counted()).toBe(models.length);
    const body = await list('?limit=2&offset=1');
    expect(body).toMatchObject({ total: models.length, has_more: true, version, versions: [{ version, date }] });
    expect(body.prices).toHaveLength(2);
    expect(await list('?offset=100000')).toMatchObject({ total: models.length, has_more: false, prices: [] });
  });

  test('published prices contain the prices, tiers and factors that apply', async () => {
    const { prices } = await list('?provider=google&model=gemini-1.5-flash');
    expect(prices).toMatchObject([
      {
        provider: 'google',
        model: 'gemini-1.5-flash',
        periods: [
          {
            valid_from: null,
            hours: null,
            images: [],
            prices: { input: '0.075', cached_input: '0.01875', output: '0.3' },
            tiers: [{ above: 128_000, prices: { input: '0.15', cached_input: '0.0375', output: '0.6' } }],
          },
        ],
        factors: expect.arrayContaining([{ service_tier: 'batch', region: null, multiplier: '0.5' }]),
      },
    ]);
    const [deepseek] = (await list('?provider=deepseek&model=deepseek-chat')).prices;
    expect(deepseek!.periods).toMatchObject([{ hours: null }, { hours: '00:30-16:30', prices: { input: '0.27' } }]);
  });

  test('published prices can be found by the price of a recorded request, and compute the same row', async () => {
    const { row } = findPrice({ model: 'gpt-4o-2024-08-06', atMs: Date.now() })!;
    const { models } = await store.page({ version, provider: row.provider, model: row.model }, { limit: 9, offset: 0 });
    const [{ terms }] = models as [(typeof models)[number]];
    expect(rowsOf(row.provider, { id: row.model, ...terms })).toContainEqual(row);
  });

  test('published prices stay after an upgrade, even if the earlier release runs alongside', async () => {
    const terms = { match: { equals: 'm' }, rows: [{ prices: { input: 1_500_000_000 } }] };
    const earlier = { edition: 'a', version: '0.0.9', date: '2026-01-31' };
    await store.add({ ...earlier, models: [{ provider: 'acme', model: 'm', terms }] });
    expect(await list('?version=0.0.9')).toMatchObject({
      total: 1,
      version: '0.0.9',
      versions: [{ version }, { version: '0.0.9', date: '2026-01-31' }],
      prices: [{ provider: 'acme', model: 'm', periods: [{ prices: { input: '1.5' } }], factors: [] }],
    });
    expect((await list()).version).toBe(version);
    expect(await list('?version=9.9.9')).toMatchObject({ total: 0, prices: [] });
  });

  test('changed prices of the same version are added without repeating equal ones', async () => {
    const edition = publishedEdition();
    const before = await counted();
    const [first, ...others] = edition.models as [(typeof edition.models)[number], ...typeof edition.models];
    const changed = { ...first, terms: { ...first.terms, rows: [{ prices: { input: 1 } }] } };
    await store.add({ ...edition, edition: 'b', models: [changed, ...others] });
    expect(await counted()).toBe(before + 1);
    const { prices } = await list(`?provider=${first.provider}&model=${encodeURIComponent(first.model)}`);
    expect(prices).toHaveLength(2);
    expect(prices[0]!.periods).toMatchObject([{ prices: { input: '0.000000001' } }]);
  });

  test.each(['update listed_prices set model = model', 'delete from listed_prices', 'delete from price_lists'])(
    'published prices cannot be changed: %s',
    (sql) => expect(source.query(sql)).rejects.toThrow('never changed or deleted'),
  );

  test('the routes of published prices reject unknown and invalid parameters', async () => {
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}?colour=red`))).toBe('400 validation_error colour');
    expect(errorCodeIn(await gateway.admin('GET', `${PATH}?version=`))).toBe('400 validation_error version');
    expect((await gateway.call('GET', PATH)).status).toBe(401);
  });
});
