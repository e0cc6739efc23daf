import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { errorCodeIn, errorIn } from '../support/responses.js';
import { ADMIN_KEY, type TestGateway } from '../support/gateway.js';
import { OperatorSession } from '../support/operator-session.js';
import { startGateway } from '../support/ready-gateway.js';
import { UpstreamsFile } from '../support/upstreams-file.js';

const PATH = '/admin/costs/reconciliation';
const KINDS = [
  'input',
  'cached_input',
  'cache_write_5m',
  'cache_write_1h',
  'output',
  'reasoning',
  'audio_input',
  'cached_audio_input',
  'audio_output',
  'image_input',
  'image_output',
  'web_searches',
  'file_searches',
  'code_executions',
  'images',
  'audio_seconds',
  'characters',
];

let file: UpstreamsFile;
let gateway: TestGateway;
let source: DataSource;
beforeAll(async () => {
  file = new UpstreamsFile({
    upstreams: [
      { name: 'openai', base_url: 'http://127.0.0.1:9/v1', models: ['gpt-5-mini'], aliases: { fast: 'gpt-5-mini' } },
      { name: 'anthropic', base_url: 'http://127.0.0.1:9/v1', apis: ['anthropic'], models: ['claude-haiku-4-5'] },
    ],
  });
  gateway = await startGateway(file.env);
  source = gateway.app.get(DataSource);
});
beforeEach(() => source.query('delete from cost_daily'));
afterAll(async () => {
  await gateway.stop();
  file[Symbol.dispose]();
});

interface Recorded {
  readonly day: string;
  readonly model?: string;
  readonly provider?: string;
  readonly nanos?: string;
  readonly requests?: number;
  readonly unpriced?: number;
  readonly units?: Record<string, number>;
}

const record = ({ day, model = 'gpt-5-mini', provider = 'openai', nanos = '0', requests = 1, ...rest }: Recorded) =>
  source.query(
    `insert into cost_daily (day, key_id, model, endpoint, provider, requests, unpriced_requests, estimated_requests, cost_nanos, ${KINDS.join(', ')})
     values ($1, $2, $3, '/v1/chat/completions', $4, $5, $6, 0, $7, ${KINDS.map((kind) => rest.units?.[kind] ?? 0).join(', ')})`,
    [day, randomUUID(), model, provider, requests, rest.unpriced ?? 0, nanos],
  );

const reconcile = (body: object, query = '') => gateway.admin('POST', `${PATH}${query}`, body);

const COSTS = [
  'start_time_iso,end_time_iso,amount_value,amount_currency,line_item',
  '2026-10-01T00:00:00Z,2026-10-02T00:00:00Z,1.5,usd,"gpt-5-mini-2025-08-07, input"',
  '2026-10-02T00:00:00Z,2026-10-03T00:00:00Z,,,',
  '2026-10-03T00:00:00Z,2026-10-04T00:00:00Z,0.25,usd,"gpt-5-mini-2025-08-07, output"',
].join('\n');

const cost = (provider: string, gatewayCost: string, difference: string, difference_percent: string | null) => ({
  provider,
  gateway: gatewayCost,
  difference,
  difference_percent,
});
const NO_COUNTS = {
  requests: null,
  input_tokens: null,
  cached_input_tokens: null,
  cache_write_tokens: null,
  output_tokens: null,
  web_searches: null,
};
const counts = (requests: number, unpriced = 0) => ({
  gateway_requests: requests,
  unpriced_requests: unpriced,
  estimated_requests: 0,
  backfilled_requests: 0,
});

describe('POST /admin/costs/reconciliation', () => {
  test('compares exact costs of all keys by day and model, and shows days of one side', async () => {
    await record({ day: '2026-10-01', nanos: '1000000001' });
    await record({ day: '2026-10-01', nanos: '499999999', requests: 2, model: 'fast' });
    await record({ day: '2026-10-02', nanos: '7', unpriced: 1 });
    await record({ day: '2026-10-05', nanos: '9' });
    const { status, body } = await reconcile({ csv: COSTS });
    expect([status, body]).toEqual([
      200,
      {
        object: 'cost_reconciliation',
        format: 'openai_costs',
        provider: null,
        upstreams: ['openai'],
        from: '2026-10-01',
        to: '2026-10-03',
        currency: 'USD',
        rows: 3,
        rounded_amounts: 0,
        ignored_columns: [],
        summary:
          'From 2026-10-01 to 2026-10-03, the provider billed $1.75 and the gateway recorded at least $1.500000007: $0.249999993 less (-14.29 %). ' +
          "2 of 3 days differ, 1 only in the export and 1 only in the gateway's records.",
        causes: [
          { code: 'unpriced_models', message: expect.stringContaining('gpt-5-mini') },
          { code: 'requests_bypassed', message: expect.any(String) },
          { code: 'export_incomplete', message: expect.any(String) },
        ],
        totals: {
          found_in: 'both',
          matches: false,
          cost: cost('1.75', '1.500000007', '-0.249999993', '-14.29'),
          ...NO_COUNTS,
          ...counts(4, 1),
        },
        days: [
          {
            date: '2026-10-01',
            found_in: 'both',
            matches: true,
            cost: cost('1.5', '1.5', '0', '0.00'),
            ...NO_COUNTS,
            ...counts(3),
          },
          {
            date: '2026-10-02',
            found_in: 'gateway',
            matches: false,
            cost: cost('0', '0.000000007', '0.000000007', null),
            ...NO_COUNTS,
            ...counts(1, 1),
          },
          {
            date: '2026-10-03',
            found_in: 'provider',
            matches: false,
            cost: cost('0.25', '0', '-0.25', '-100.00'),
            ...NO_COUNTS,
            ...counts(0),
          },
        ],
        models: [
          expect.objectContaining({
            date: '2026-10-01',
            model: 'gpt-5-mini',
            found_in: 'both',
            matches: true,
            provider_models: ['gpt-5-mini-2025-08-07'],
            gateway_models: ['gpt-5-mini'],
          }),
          expect.objectContaining({ date: '2026-10-02', model: 'gpt-5-mini', provider_models: [] }),
          expect.objectContaining({ date: '2026-10-03', model: 'gpt-5-mini', gateway_models: [] }),
        ],
      },
    ]);
  });

  test('compares requests and tokens of a usage export', async () => {
    await record({
      day: '2026-10-01',
      requests: 9,
      units: { input: 900, cached_input: 80, audio_input: 20, output: 30, reasoning: 25 },
    });
    const csv =
      'start_time,num_model_requests,model,input_tokens,input_cached_tokens,output_tokens\n' +
      '1790812800,10.0,gpt-5-mini-2025-08-07,1000.0,80.0,40.0';
    const { body } = await reconcile({ csv, provider: 'openai', format: 'openai_usage' });
    const difference = (provider: number, recorded: number, percent: string) => ({
      provider,
      gateway: recorded,
      difference: recorded - provider,
      difference_percent: percent,
    });
    expect(body['totals']).toMatchObject({
      cost: null,
      requests: difference(10, 9, '-10.00'),
      input_tokens: difference(1000, 1000, '0.00'),
      cached_input_tokens: difference(80, 80, '0.00'),
      output_tokens: difference(40, 30, '-25.00'),
    });
  });

  test('refuses an upstream that is neither configured nor recorded', async () => {
    await record({ day: '2026-10-01', nanos: '5000000000' });
    const csv = 'usage_date_utc,model,token_type,cost_usd\n2026-10-01,Claude Haiku 4.5,output,0.07\n';
    const response = await reconcile({ csv, provider: 'opnai' });
    expect(errorCodeIn(response)).toBe('400 validation_error provider');
    expect(errorIn(response).message).toContain("'openai', 'anthropic', or a removed upstream");
    await record({ day: '2026-10-01', provider: 'removed' });
    for (const provider of ['removed', 'anthropic']) expect((await reconcile({ csv, provider })).status).toBe(200);
  });

  test('reads only the records of the named upstream, and reports several', async () => {
    await record({ day: '2026-10-01', nanos: '70000000', provider: 'anthropic', model: 'claude-haiku-4-5-20251001' });
    await record({ day: '2026-10-01', nanos: '5000000000' });
    const csv = 'usage_date_utc,model,token_type,cost_usd\r\n2026-10-01,Claude Haiku 4.5,output,0.07\r\n';
    expect((await reconcile({ csv, provider: 'anthropic' })).body).toMatchObject({
      format: 'anthropic_costs',
      provider: 'anthropic',
      upstreams: ['anthropic'],
      causes: [],
      totals: { matches: true, gateway_requests: 1 },
      models: [{ model: 'claude-haiku-4-5', provider_models: ['Claude Haiku 4.5'], matches: true }],
    });
    const { body } = await reconcile({ csv });
    expect(body).toMatchObject({ upstreams: ['anthropic', 'openai'], totals: { gateway_requests: 2 } });
    expect(body['causes']).toContainEqual(expect.objectContaining({ code: 'several_upstreams' }));
  });

  test.each([
    ['the query', '?output=csv', {}],
    ['the Accept header', '', { accept: 'text/csv' }],
  ])('returns CSV if %s asks for it', async (_what, query, headers) => {
    await record({ day: '2026-10-01', nanos: '1500000000' });
    const csv = `start_time_iso,amount_value,amount_currency,model\n2026-10-01,2,usd,"=1+1, ""x"""`;
    const response = await gateway.call('POST', PATH + query, { key: ADMIN_KEY, headers, body: { csv } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(response.text.split('\r\n')).toEqual([
      'level,date,model,found_in,matches,provider_cost,gateway_cost,cost_difference,cost_difference_percent,gateway_requests,unpriced_requests,estimated_requests,backfilled_requests',
      'total,,,both,false,2,1.5,-0.5,-25.00,1,0,0,0',
      'day,2026-10-01,,both,false,2,1.5,-0.5,-25.00,1,0,0,0',
      `model,2026-10-01,"'=1+1, ""x""",provider,false,2,0,-2,-100.00,0,0,0,0`,
      'model,2026-10-01,gpt-5-mini,gateway,false,0,1.5,1.5,,1,0,0,0',
      '',
    ]);
  });

  test('returns JSON if the client accepts everything', async () => {
    const headers = { accept: 'application/json, text/csv, */*' };
    const response = await gateway.call('POST', PATH, { key: ADMIN_KEY, headers, body: { csv: COSTS } });
    expect(response.body['object']).toBe('cost_reconciliation');
  });

  test.each([
    [{}, '400 validation_error csv'],
    [{ csv: '' }, '400 validation_error csv'],
    [{ csv: 7 }, '400 validation_error csv'],
    [{ csv: COSTS, format: 'xml' }, '400 validation_error format'],
    [{ csv: COSTS, provider: 7 }, '400 validation_error provider'],
    [{ csv: COSTS, other: 1 }, '400 validation_error other'],
    [{ csv: 'date,cost\n2026-10-01,1' }, '400 validation_error format'],
    [{ csv: 'x'.repeat(8 * 1024 * 1024 + 1) }, '400 validation_error csv'],
    [{ csv: 'x'.repeat(10 * 1024 * 1024) }, '413 request_too_large'],
  ])('rejects invalid input: %#', async (body, code) => {
    expect(errorCodeIn(await reconcile(body))).toBe(code);
  });

  test('names the row and the column of an invalid cell', async () => {
    const response = await reconcile({ csv: COSTS.replace('0.25', '1,25e') });
    expect(errorIn(response).message).toMatch(/^Row 4 has 6 cells, but the header has 5/);
    const { message } = errorIn(await reconcile({ csv: COSTS.replace('0.25', 'many') }));
    expect(message).toContain(`Row 4 has 'many' in the column 'amount_value'`);
  });

  test('stores nothing and writes no audit row', async () => {
    const rows = () =>
      source.query(`select (select count(*)::int from cost_daily) as costs,
        (select count(*)::int from audit_logs where action not like 'job.%') as audit`);
    const before = await rows();
    expect((await reconcile({ csv: COSTS })).status).toBe(200);
    expect(await rows()).toEqual(before);
  });

  test('requires the role admin', async () => {
    const viewer = await OperatorSession.of(gateway, 'viewer');
    expect(errorCodeIn(await viewer.call('POST', PATH, { csv: COSTS }))).toBe('403 forbidden');
  });

  test('serves other requests while it reads 8 MiB', async () => {
    const row = '2026-10-01T00:00:00Z,,0.000000001,usd,"gpt-5-mini, input"\n';
    const csv = `start_time_iso,end_time_iso,amount_value,amount_currency,line_item\n${row.repeat(140_000)}`;
    const reading = reconcile({ csv });
    let done = false;
    void reading.then(() => (done = true));
    let served = 0;
    while (!done) {
      expect((await gateway.call('GET', '/health/live')).status).toBe(200);
      served += 1;
    }
    const { body } = await reading;
    expect(body).toMatchObject({ rows: 140_000, totals: { cost: { provider: '0.00014' } } });
    expect(served).toBeGreaterThan(5);
  });
});
