import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AppliedPrices } from '../../../src/costs/applied-price.service.js';
import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { Config } from '../../../src/platform/config/config.js';
import type { OperatorPrices } from '../../../src/costs/operator-prices.service.js';
import { FOCUS_COLUMNS, FocusExport } from '../../../src/costs/report/focus-export.service.js';
import { GROUPINGS } from '../../../src/costs/report/cost-query.js';
import { sumOf } from '../../../src/costs/report/cost-figures.rules.js';
import { CostReports } from '../../../src/costs/report/cost-report.service.js';
import { RequestCosts } from '../../../src/costs/request-costs.service.js';
import { CostExportStore } from '../../../src/costs/stores/cost-export.store.js';
import { CostReportStore } from '../../../src/costs/stores/cost-report.store.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import type { TokenUsage } from '../../../src/platform/request-context/token-usage.js';
import { requestOf, StatsDatabase, StatsProcess } from '../../support/stats-database.js';
import { NO_DETAILS } from '../pricing/reports.js';
import { DAY_MS } from '../../support/cost-rows.js';

const CONFIG = Config.from({ GW_UPSTREAM_BASE_URL: 'https://api.openai.com/v1' });
const ACCOUNT = { name: 'default', baseUrl: new URL('https://api.openai.com/v1') };
const ALL = { from: '0001-01-01', to: '9999-12-31' };
const FEATURE_LEVELS = {
  mandatory: [
    'BilledCost',
    'BillingAccountId',
    'BillingAccountName',
    'BillingCurrency',
    'BillingPeriodEnd',
    'BillingPeriodStart',
    'ChargeCategory',
    'ChargeClass',
    'ChargeDescription',
    'ChargePeriodEnd',
    'ChargePeriodStart',
    'ContractedCost',
    'EffectiveCost',
    'InvoiceIssuerName',
    'ListCost',
    'PricingQuantity',
    'PricingUnit',
    'ProviderName',
    'PublisherName',
    'ServiceCategory',
    'ServiceName',
  ],
  others: [
    'AvailabilityZone',
    'BillingAccountType',
    'ChargeFrequency',
    'ConsumedQuantity',
    'ConsumedUnit',
    'InvoiceId',
    'PricingCategory',
    'RegionId',
    'RegionName',
    'ResourceId',
    'ResourceName',
    'ResourceType',
    'ServiceSubcategory',
    'SkuId',
    'SkuPriceId',
    'SubAccountId',
    'SubAccountName',
    'SubAccountType',
    'Tags',
  ],
};

let database: StatsDatabase;
let source: DataSource;
let keys: KeySnapshot[];
let expectedNanos = 0n;
let recorded = 0;
let unpriced = 0;

/** Random requests of models with and without a price, over 40 days. */
const asked = fc.record({
  key: fc.integer({ min: 0, max: 2 }),
  model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'o3', 'no-such-model'),
  ago: fc.integer({ min: 0, max: 40 }),
  inputTokens: fc.integer({ min: 0, max: 300_000 }),
  outputTokens: fc.integer({ min: 0, max: 50_000 }),
  cachedInput: fc.integer({ min: 0, max: 100_000 }),
  tier: fc.constantFrom(null, 'flex', 'priority'),
  provenance: fc.constantFrom('reported' as const, 'partial' as const, 'estimated' as const),
});

beforeAll(async () => {
  database = await StatsDatabase.create();
  source = database.source;
  keys = [await database.newKey(), await database.newKey(), await database.newKey()];
  const processes = [new StatsProcess(source), new StatsProcess(source)];
  const costs = new RequestCosts(
    new AppliedPrices({ isEmpty: true, find: () => null } as unknown as OperatorPrices, CONFIG),
  );
  for (const [n, each] of fc.sample(asked, 500).entries()) {
    const { recorder, writer } = processes[n % 2]!;
    const atMs = Date.now() - each.ago * DAY_MS;
    const { inputTokens, outputTokens, provenance } = each;
    const usage: TokenUsage = { inputTokens, outputTokens, provenance };
    const details = { ...NO_DETAILS, cachedInput: Math.min(each.cachedInput, inputTokens), serviceTier: each.tier };
    const ctx = requestOf(keys[each.key]!, { model: each.model, atMs, usage });
    ctx.upstream.account = ACCOUNT;
    ctx.usageDetails = details;
    recorder.record(ctx, 200, 5);
    const query = { provider: 'default', baseUrl: ACCOUNT.baseUrl, models: [each.model], atMs };
    const priced = costs.of({ ...query, usage, details });
    expectedNanos += priced.nanos ?? 0n;
    recorded += 1;
    if (priced.unpriced) unpriced += 1;
    if (n % 50 === 0) await writer.flush();
  }
  await Promise.all(processes.map(({ writer }) => writer.flush()));
});
afterAll(() => database.close());

async function focusRows(filter = {}): Promise<Record<string, string>[]> {
  const parts: string[] = [];
  const exported = new FocusExport(new CostExportStore(source), CONFIG);
  for await (const part of await exported.read(ALL, filter)) parts.push(part);
  const [head, ...lines] = parts.join('').trimEnd().split('\r\n');
  const names = head!.split(',');
  return lines.map((line) => {
    const cells = [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",]*))(?:,|$)/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
    );
    return Object.fromEntries(names.map((name, at) => [name, cells[at]!]));
  });
}

describe('recorded costs', () => {
  test('the report has the sum of the costs of all requests, for every grouping', async () => {
    expect(expectedNanos > 0n && unpriced > 0).toBe(true);
    const reports = new CostReports(new CostReportStore(source));
    for (const grouping of GROUPINGS) {
      const page = { limit: 1000, offset: 0, rowsMax: 100_000 };
      const report = await reports.read({ days: ALL, grouping, filter: {}, sort: 'cost', ...page }, Date.now());
      for (const sums of [report.totals, sumOf(report.groups)])
        expect(sums).toMatchObject({ nanos: expectedNanos, requests: recorded, unpricedRequests: unpriced });
    }
  });

  test('the FOCUS export has the same sums in one page and in many, and with a filter', async () => {
    const rows = await focusRows();
    const nanosOf = (column: string) => rows.reduce((sum, row) => sum + BigInt(parseNanos(row[column]!)), 0n);
    for (const column of ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'])
      expect(nanosOf(column)).toBe(expectedNanos);
    const requests = rows.reduce(
      (sum, row) => sum + Number((JSON.parse(row.Tags!) as { requests: string }).requests),
      0,
    );
    expect(requests).toBe(recorded);
    const store = new CostExportStore(source);
    const paged = [];
    for (let after = null; ;) {
      const page: Awaited<ReturnType<CostExportStore['page']>> = await store.page(ALL, { keys: null }, after, 7);
      paged.push(...page);
      if (page.length < 7) break;
      after = page.at(-1)! as never;
    }
    expect(paged).toHaveLength(rows.length);
    expect(paged.reduce((sum, { nanos }) => sum + nanos, 0n)).toBe(expectedNanos);
    const ofModel = await focusRows({ model: 'gpt-4o' });
    expect(ofModel.length).toBeGreaterThan(0);
    expect(ofModel).toEqual(rows.filter((row) => row.ResourceId === 'gpt-4o'));
  });

  test('the FOCUS export has all mandatory columns of version 1.2, in alphabetical order', async () => {
    expect(FOCUS_COLUMNS).toEqual([...FEATURE_LEVELS.mandatory, ...FEATURE_LEVELS.others].toSorted());
    const [row] = await focusRows({ model: 'gpt-4o' });
    expect(Object.keys(row!)).toEqual(FOCUS_COLUMNS);
    const day = row!.ChargePeriodStart!.slice(0, 10);
    expect(row).toMatchObject({
      BillingCurrency: 'USD',
      ChargeCategory: 'Usage',
      ChargeClass: '',
      ChargeFrequency: 'Usage-Based',
      ChargePeriodStart: `${day}T00:00:00Z`,
      BillingPeriodStart: `${day.slice(0, 7)}-01T00:00:00Z`,
      ChargePeriodEnd: `${new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`,
      ConsumedUnit: 'Tokens',
      PricingUnit: 'Tokens',
      PricingCategory: 'Standard',
      ProviderName: 'api.openai.com',
      PublisherName: 'api.openai.com',
      InvoiceIssuerName: 'api.openai.com',
      BillingAccountId: 'default',
      ServiceCategory: 'AI and Machine Learning',
      SkuId: 'gpt-4o',
      ResourceId: 'gpt-4o',
      SubAccountName: 'k',
      SubAccountType: 'API key',
      InvoiceId: '',
      RegionId: '',
    });
    expect(row!.ConsumedQuantity).toBe(row!.PricingQuantity);
    const [without] = await focusRows({ model: 'no-such-model' });
    expect(without!.BilledCost).toBe('0');
    expect(JSON.parse(without!.Tags!)).toMatchObject({
      endpoint: '/v1/chat/completions',
      unpriced_requests: expect.stringMatching(/^[1-9]/),
    });
  });
});

function parseNanos(amount: string): string {
  const [whole, decimals = ''] = amount.split('.');
  return `${whole}${decimals.padEnd(9, '0')}`;
}
