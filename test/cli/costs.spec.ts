import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { FOCUS_COLUMNS } from '../../src/costs/report/focus-export.service.js';
import { TestGateway } from '../support/gateway.js';
import { cli, cliJson, failureOf } from './command.js';

const DAY_MS = 86_400_000;
const dateOf = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

let gateway: TestGateway;
let env: Record<string, string>;
let keyId: string;
let teamId: string;
beforeAll(async () => {
  gateway = await TestGateway.start();
  env = { DATABASE_URL: gateway.databaseUrl };
  ({ id: teamId } = (await gateway.admin<{ id: string }>('POST', '/admin/teams', { name: 'Finance' })).body);
  const fields = { name: 'billing\u001b[31m', team_id: teamId, tags: ['prod'] };
  ({ id: keyId } = await gateway.createKey(fields));
  const insert = (ago: number, model: string, nanos: string, unpriced = 0, backfilled = false) =>
    gateway.app.get(DataSource).query(
      `insert into cost_daily select * from jsonb_populate_record(
         (select jsonb_populate_record(null::cost_daily, jsonb_object_agg(column_name, 0)) from information_schema.columns
           where table_name = 'cost_daily' and data_type = 'bigint'), $1::jsonb)`,
      [
        JSON.stringify({
          day: dateOf(ago),
          key_id: keyId,
          model,
          endpoint: '/v1/messages',
          provider: 'default',
          backfilled,
          requests: 2,
          unpriced_requests: unpriced,
          cost_nanos: nanos,
          input: 10,
          cached_input: 30,
          output: 5,
        }),
      ],
    );
  await insert(1, 'gpt-4o', '2500000000');
  await insert(2, 'gpt-4o', '37500000', 0, true);
  await insert(2, 'new-model', '0', 2);
});
afterAll(() => gateway.stop());

describe('cost report', () => {
  test('prints the same document as the Admin API for every option', async () => {
    for (const [args, query] of [
      [[], ''],
      [['--group-by', 'day,model', '--limit', '1'], 'group_by=day,model&limit=1'],
      [['--group-by', 'key', '--sort', 'name', '--offset', '1'], 'group_by=key&sort=name&offset=1'],
      [['--since', dateOf(1), '--until', dateOf(0)], `since=${dateOf(1)}&until=${dateOf(0)}`],
      [['--key', keyId, '--model', 'gpt-4o', '--endpoint', '/v1/messages'], `key_id=${keyId}&model=gpt-4o`],
      [['--provider', 'azure', '--group-by', 'provider'], 'provider=azure&group_by=provider'],
      [['--team', 'finance', '--tag', 'prod', '--group-by', 'team'], `team_id=${teamId}&tag=prod&group_by=team`],
      [['--tag', 'test'], 'tag=test'],
    ] as const) {
      const { code, body } = await cliJson(['cost', 'report', ...args], { env });
      expect({ code, body }).toEqual({ code: 0, body: (await gateway.admin('GET', `/admin/costs?${query}`)).body });
    }
  });

  test('prints a table with totals, months and notes about costs that are not exact', async () => {
    const { code, stdout } = await cli(['cost', 'report', '--group-by', 'day,model'], { env });
    expect(code).toBe(0);
    const lines = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines.slice(0, 7)).toEqual([
      `Costs from ${dateOf(29)} to ${dateOf(0)} (UTC): $2.5375 for 6 requests.`,
      '2 requests have no complete price, so the cost is a lower bound.',
      'The costs of 2 requests are computed from the tokens of their days.',
      '',
      'DAY MODEL COST REQUESTS UNPRICED INPUT CACHED OUTPUT',
      `${dateOf(2)} gpt-4o $0.0375 2 0 40 30 5`,
      `${dateOf(1)} gpt-4o $2.5 2 0 40 30 5`,
    ]);
    expect(lines[7]).toBe(`${dateOf(2)} new-model - 2 2 40 30 5`);
    expect(stdout).toMatch(/\n\d{4}-\d\d: \$[\d.]+ so far\..*\n\d{4}-\d\d: \$?[\w.]+\.\n$/);
    const { stdout: keys } = await cli(['cost', 'report', '--group-by', 'key'], { env });
    expect(keys).toContain('billing?[31m');
    const { stdout: none } = await cli(['cost', 'report', '--model', 'other'], { env });
    expect(none).toContain('No costs are recorded for these days.');
  });

  test('prints the CSV files of the Admin API with --csv and --focus', async () => {
    const csv = await cli(['cost', 'report', '--csv', '--group-by', 'model'], { env });
    expect(csv).toEqual({
      code: 0,
      stderr: '',
      stdout: (await gateway.admin('GET', '/admin/costs?format=csv&group_by=model')).text,
    });
    const unknown = await cliJson(['cost', 'report', '--team', 'nobody'], { env });
    expect(unknown).toMatchObject({ code: 2, body: { error: { code: 'validation_error', param: 'team_id' } } });
    const focus = await cli(['cost', 'report', '--focus', '--model', 'gpt-4o', '--team', 'Finance'], { env });
    const [head, ...lines] = focus.stdout.trimEnd().split('\r\n');
    expect(head!.split(',')).toEqual(FOCUS_COLUMNS);
    expect(lines).toHaveLength(2);
  });

  test.each([
    [['--group-by', 'week'], 'group_by'],
    [['--since', 'yesterday'], 'since'],
    [['--limit', '501'], 'limit'],
    [['--key', 'billing'], 'key_id'],
  ])('rejects %j before it needs a database', async (args, param) => {
    expect(await failureOf(['cost', 'report', ...args])).toMatchObject({
      exitCode: 2,
      error: { code: 'validation_error', param },
    });
  });

  test('rejects options that cannot be combined', async () => {
    expect(await failureOf(['cost', 'report', '--csv'])).toMatchObject({ exitCode: 2, error: { code: 'usage' } });
    const both = await cli(['cost', 'report', '--csv', '--focus']);
    expect(both).toMatchObject({ code: 2, stdout: '' });
    const grouped = await cli(['cost', 'report', '--focus', '--group-by', 'day']);
    expect(grouped).toMatchObject({ code: 2, stderr: expect.stringContaining('--group-by') });
  });
});
