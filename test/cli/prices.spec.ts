import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { connect } from '../support/stats-database.js';
import { CostDayStore } from '../../src/costs/stores/cost-day.store.js';
import { insertRows } from '../support/cost-rows.js';
import { unpricedRows } from '../support/unpriced-rows.js';
import { cli, cliJson } from './command.js';

const MODEL = 'acme-custom-1';
const keyId = randomUUID();

let scratch: ScratchDatabase;
let source: DataSource;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  source = await connect(scratch.url);
  env = { DATABASE_URL: scratch.url };
  folder = mkdtempSync(join(tmpdir(), 'prices-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await source.destroy();
  await scratch.drop();
});
beforeEach(async () => {
  for (const table of ['model_prices', 'cost_daily', 'unpriced_batches']) await source.query(`delete from ${table}`);
});

const stored = async () => (await source.query<{ n: number }[]>('select count(*)::int n from model_prices'))[0]!.n;
const run = (...args: string[]) => cli(['price', ...args], { env });
const runJson = <T = Record<string, unknown>>(...args: string[]) => cliJson<T>(['price', ...args], { env });
const setPrice = (...args: string[]) =>
  runJson<{ id: string }>('set', MODEL, '--input', '2.5', '--output', '10', ...args);

describe('price set', () => {
  test('sets a price, which price list and price show report', async () => {
    const { code, body } = await setPrice('--cached-input', '0.0375', '--from', '2026-07-01', '--note', 'Contract');
    expect([code, body]).toMatchObject([
      0,
      {
        model: MODEL,
        provider: '*',
        valid_from: '2026-07-01T00:00:00.000Z',
        state: 'active',
        note: 'Contract',
        prices: { input: '2.5', cached_input: '0.0375', output: '10' },
        created_by: 'system',
      },
    ]);
    expect((await runJson('list')).body).toEqual({ total: 1, has_more: false, prices: [body] });
    expect((await run('list')).stdout).toMatch(
      new RegExp(
        `^ID +MODEL .*\\n${body.id} +${MODEL} +\\* +active +2026-07-01 00:00Z +- +input=2.5 cached_input=0.0375 output=10 +Contract\\n`,
      ),
    );
    const { stdout } = await run('show', MODEL);
    expect(stdout).toMatch(
      /^Price of "acme-custom-1" at upstream "default" at .*, in USD per million units:\n  input +2\.5\n/,
    );
    expect(stdout).toContain('An operator set the price of "acme-custom-1" for all upstreams.\n');
  });

  test('sets a price for hours of the day', async () => {
    const { body } = await setPrice('--hours', '16:30-00:30', '--from', '2026-07-01');
    expect(body).toMatchObject({ hours: '16:30-00:30' });
    expect((await run('list')).stdout).toContain(' input=2.5 output=10; hours=16:30-00:30\n');
    const { stdout } = await run('show', MODEL, '--at', '2026-07-15T20:00:00Z');
    expect(stdout).toContain('\n  hours (UTC)  16:30-00:30\n');
    expect((await run('show', MODEL, '--at', '2026-07-15T12:00:00Z')).code).toBe(1);
  });

  test('prints the ID and writes an audit row of the command line', async () => {
    const { code, stdout } = await run('set', 'house-*', '--input', '0', '--provider', 'default');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Set the price of "house-\*" for upstream "default" from .*\n {2}id {2}[0-9a-f-]{36}\n$/),
    ]);
    const id = stdout.trim().split(' ').at(-1);
    const rows = await source.query<object[]>(
      'select action, actor_type, metadata from audit_logs where target_id = $1',
      [id],
    );
    expect(rows).toMatchObject([{ action: 'price.created', actor_type: 'system', metadata: { via: 'cli' } }]);
  });

  test.each([
    ['a negative price', ['--input', '-1'], '--input: Invalid value for', 'at least 0'],
    ['text', ['--input', 'free'], '--input: ', 'a decimal number'],
    ['no price', [], '', 'at least one kind'],
    ['an unknown upstream', ['--input', '1', '--provider', 'azure'], '--provider: ', "'default', 'messages'"],
    ['an end before the start', ['--input', '1', '--to', '2020-01-01'], '--to: ', 'after'],
    ['other hours', ['--input', '1', '--hours', 'night'], '--hours: ', 'such as'],
    ['an unknown list', ['--list', 'acme'], '--list: ', "'maker'"],
  ])('rejects %s, names the option and sets nothing', async (_case, args, start, text) => {
    const { code, stdout, stderr } = await run('set', MODEL, ...args);
    expect([code, stdout, await stored()]).toEqual([2, '', 0]);
    expect(stderr.startsWith(`error: ${start}`)).toBe(true);
    expect(stderr).toContain(text);
  });
});

describe('price show', () => {
  test('shows a published price that an operator refers to', async () => {
    expect((await run('show', 'gpt-4o-mini')).code).toBe(1);
    await run('set', '*', '--list', 'openai');
    const { code, stdout } = await run('show', 'gpt-4o-mini');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\n  input +0\.15\n[^]*\n  tier batch +x 0\.5\n[^]*\nPublished list: \d+\.\d+\.\d+ of 20\d\d-\d\d-\d\d\.\n$/,
    );
  });

  test('fails for a model without a price', async () => {
    const { code, body } = await runJson('show', MODEL);
    expect([code, body]).toMatchObject([1, { error: { code: 'not_found' } }]);
    const none = `error: This model has no price at upstream 'default' at this time. Add one with "price set".`;
    expect((await run('show', MODEL)).stderr).toBe(
      `${none} Published prices were not considered, because this command has no GW_UPSTREAM_BASE_URL.\n`,
    );
    const withUpstream = { ...env, GW_UPSTREAM_BASE_URL: 'https://api.openai.com/v1' };
    expect((await cli(['price', 'show', MODEL], { env: withUpstream })).stderr).toBe(`${none}\n`);
  });

  test('rejects an unknown upstream with exit code 2, and names the option', async () => {
    const { code, stderr } = await run('show', MODEL, '--provider', 'azure');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --provider: /)]);
  });
});

describe('price import', () => {
  const file = (content: string) => {
    const path = join(folder, `${randomUUID()}.json`);
    writeFileSync(path, content);
    return path;
  };

  test('sets the prices of a list, or of the body of the Admin API', async () => {
    const prices = [
      { model: 'a', prices: { input: '1' } },
      { model: 'b', prices: { input: '2' } },
    ];
    const path = file(JSON.stringify(prices));
    expect(await run('import', path)).toMatchObject({ code: 0, stdout: `Set 2 prices of ${path}.\n` });
    await source.query('delete from model_prices');
    const { body } = await runJson<{ prices: object[] }>('import', file(JSON.stringify({ prices })));
    expect([body.prices.length, await stored()]).toEqual([2, 2]);
  });

  test('reads a file that starts with a byte order mark', async () => {
    const path = file(`\ufeff${JSON.stringify([{ model: 'a', prices: { input: '1' } }])}`);
    expect(await run('import', path)).toMatchObject({ code: 0, stdout: `Set 1 price of ${path}.\n` });
  });

  test('sets nothing if a row is invalid, and names the row', async () => {
    const rows = [
      { model: 'a', prices: { input: '1' } },
      { model: 'b', prices: { input: 1 } },
    ];
    const { code, body } = await runJson('import', file(JSON.stringify(rows)));
    expect([code, body, await stored()]).toMatchObject([1, { error: { param: 'prices[1].prices.input' } }, 0]);
  });

  const LITELLM = {
    sample_spec: { litellm_provider: 'one of the providers' },
    'gpt-4o': { litellm_provider: 'openai', input_cost_per_token: 2.5e-6, output_cost_per_token: 9e-6 },
    'openai/gpt-new': {
      litellm_provider: 'openai',
      input_cost_per_token: 1e-7,
      output_cost_per_token: 0.7e-6,
      input_cost_per_token_above_200k_tokens: 2e-7,
    },
    'azure/gpt-4o': { litellm_provider: 'azure', input_cost_per_token: 1 },
  };
  const GENAI = [
    {
      id: 'openai',
      models: [
        { id: 'gpt-4o', match: { equals: 'gpt-4o' }, prices: { input_mtok: 2.5, output_mtok: 9 } },
        {
          id: 'gpt-new',
          match: { equals: 'gpt-new' },
          prices: [
            { prices: { input_mtok: 9 } },
            {
              constraint: { type: 'start_date', start_date: '2026-01-01' },
              prices: { input_mtok: { base: 0.1, tiers: [{ start: 200_000, price: 0.2 }] }, output_mtok: 0.7 },
            },
          ],
        },
      ],
    },
  ];
  const OPENROUTER = {
    data: [
      { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
      { id: 'acme/new', pricing: { prompt: '0.0000001', completion: '0.0000007', image: '0' } },
    ],
  };

  test.each([
    ['LiteLLM', LITELLM, ['--list', 'openai']],
    ['genai-prices', GENAI, []],
  ])(
    'sets the prices of a list of %s that differ, and keeps what the list does not state',
    async (_, list, options) => {
      const path = file(JSON.stringify(list));
      const difference = '~ gpt-4o  output 10 -> 9\n+ gpt-new  input=0.1 output=0.7\n';
      const dry = await run('import', path, ...options, '--dry-run');
      expect(dry).toMatchObject({ code: 0, stdout: `${difference}Would set 2 prices. Unchanged: 0.\n` });
      expect(await stored()).toBe(0);
      const done = await run('import', path, ...options);
      expect(done).toMatchObject({ code: 0, stdout: `${difference}Set 2 prices. Unchanged: 0.\n` });
      const { body } = await runJson<{ prices: object[] }>('list');
      expect(body.prices).toMatchObject([
        {
          model: 'gpt-4o',
          provider: '*',
          prices: { input: '2.5', cached_input: '1.25', output: '9' },
          factors: expect.arrayContaining([expect.objectContaining({ service_tier: 'batch' })]),
          note: expect.stringMatching(/\.json sha256:[0-9a-f]{64}$/),
        },
        { model: 'gpt-new', tiers: [{ above: 200_000, prices: { input: '0.2', output: '0.7' } }] },
      ]);
      const again = await run('import', path, ...options);
      expect(again).toMatchObject({ code: 0, stdout: 'Set 0 prices. Unchanged: 2.\n' });
    },
  );

  test('a snapshot keeps its own price if the price of its model changes', async () => {
    const snapshot = 'gpt-4o-2024-05-13';
    const models = [
      { id: 'gpt-4o', prices: { input_mtok: 2 } },
      { id: snapshot, prices: { input_mtok: 5, output_mtok: 15 } },
    ];
    const { stdout } = await run('import', file(JSON.stringify([{ id: 'openai', models }])));
    expect(stdout).toBe(`~ gpt-4o  input 2.5 -> 2\n= ${snapshot}  keeps its price\nSet 2 prices. Unchanged: 0.\n`);
    expect((await runJson('show', snapshot)).body).toMatchObject({ prices: { input: '5', output: '15' } });
  });

  test("reads OpenRouter's list of models, without those whose price depends on the router", async () => {
    const { stdout } = await run('import', file(JSON.stringify(OPENROUTER)), '--dry-run');
    expect(stdout).toBe('+ acme/new  input=0.1 output=0.7\nWould set 1 price. Unchanged: 0.\n');
  });

  test.each([
    ['a negative price', { input_cost_per_token: -1 }],
    ['a price that is not a number', { input_cost_per_token: 'free' }],
    ['a price that is too high', { input_cost_per_token: 1e9 }],
  ])('sets nothing of a list with %s, and names the model', async (_, fields) => {
    const list = { ...LITELLM, 'gpt-bad': { litellm_provider: 'openai', ...fields } };
    const { code, stderr } = await run('import', file(JSON.stringify(list)), '--list', 'openai');
    expect([code, stderr, await stored()]).toEqual([1, expect.stringContaining('gpt-bad: input_cost_per_token'), 0]);
  });

  test('asks for the provider within a list of several', async () => {
    const { code, stderr } = await run('import', file(JSON.stringify(LITELLM)));
    expect([code, stderr]).toEqual([2, expect.stringContaining('prices of azure, openai')]);
  });

  test('a dry run of prices in the form of the Admin API sets nothing', async () => {
    const path = file(JSON.stringify([{ model: 'a', prices: { input: '1' } }]));
    expect(await run('import', path, '--dry-run')).toMatchObject({ code: 0, stdout: 'Would set 1 price.\n' });
    expect(await stored()).toBe(0);
  });

  test('rejects a file that is missing or not JSON', async () => {
    expect(await run('import', join(folder, 'none.json'))).toMatchObject({ code: 2, stdout: '' });
    const { code, stderr } = await run('import', file('{"prices": ['));
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not valid JSON')]);
  });
});

describe('price delete', () => {
  test('deletes a price once', async () => {
    const { body } = await setPrice();
    expect(await run('delete', body.id)).toMatchObject({
      code: 0,
      stdout: `Deleted the price ${body.id}. Recorded costs stay.\n`,
    });
    expect(await stored()).toBe(0);
    expect(await run('delete', body.id)).toMatchObject({
      code: 1,
      stderr: 'error: Price not found. Use the ID that "price list" shows.\n',
    });
    expect((await run('delete', 'x')).stderr).toContain('Price not found');
  });
});

describe('price missing and price recompute', () => {
  test('show and price past requests without a price', async () => {
    expect((await run('missing')).stdout).toBe('Every model that was used has a price.\n');
    await unpricedRows(source, { keyId, count: 3, model: MODEL });
    expect((await run('missing')).stdout).toMatch(/^MODEL .*\nacme-custom-1 +default +3 +.* +input,output\n/);
    expect((await run('recompute')).stdout).toBe(
      'Priced 0 requests. Added $0 to the costs. 3 requests still without a price: see "price missing".' +
        ' A price must be valid from before the first use: set it with "price set --from".\n',
    );
    await setPrice('--from', '2020-01-01');
    expect((await run('missing')).stdout).toContain('none: run "price recompute"');
    const { code, body } = await runJson('recompute', '--model', MODEL);
    expect([code, body]).toEqual([
      0,
      { recomputed: 3, backfilled: 0, amount: '0.0001575', currency: 'USD', still_unpriced: 0 },
    ]);
    expect((await run('recompute', '--since', 'x')).stderr).toMatch(/^error: --since: /);
  });

  test('show and price days before costs were recorded', async () => {
    await source.query(`update cost_backfill set until = '2026-07-01'`);
    const row = { day: '2026-06-30', keyId, model: MODEL, endpoint: '', provider: '', backfilled: true };
    await insertRows(source, [{ ...row, requests: 5, unpriced: 5, estimated: 0, nanos: 0n, units: 1000 }]);
    await new CostDayStore(source).close('2026-06-30');
    const { stdout } = await run('missing');
    expect(stdout).toMatch(/^Since costs are recorded, every model that was used has a price\.\n\nDays before costs/);
    expect(stdout).toMatch(/\nMODEL .*\nacme-custom-1 +5 +2026-06-30 +2026-06-30 +input,output\n$/);
    await setPrice('--from', '2020-01-01');
    expect((await run('recompute')).stdout).toMatch(
      /^Priced 5 requests \(5 from days before costs were recorded\)\. Added \$[\d.]+ to the costs\.\n$/,
    );
    expect((await run('missing')).stdout).toBe('Every model that was used has a price.\n');
  });
});
