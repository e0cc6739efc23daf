import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { dateOf, DAY_MS, newKeys } from '../support/cost-rows.js';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.js';
import { connect } from '../support/stats-database.js';
import { cli, cliJson } from './command.js';

interface Limit {
  readonly id: number;
  readonly [field: string]: unknown;
}

let scratch: ScratchDatabase;
let source: DataSource;
let env: Record<string, string>;
let teamId: string;
let keyId: string;
beforeAll(async () => {
  scratch = await createScratchDatabase();
  source = await connect(scratch.url);
  env = { DATABASE_URL: scratch.url };
  teamId = (await source.query<[{ id: string }]>(`insert into teams (name) values ('Research') returning id`))[0].id;
  keyId = (await newKeys(source, ['k']))[0]!;
});
afterAll(async () => {
  await source.destroy();
  await scratch.drop();
});
beforeEach(async () => {
  for (const table of ['limits', 'usage_daily']) await source.query(`delete from ${table}`);
});

const run = (...args: string[]) => cli(['limit', ...args], { env });
const runJson = <T = Limit>(...args: string[]) => cliJson<T>(['limit', ...args], { env });
const BUDGET = [
  '--scope',
  'team',
  '--team',
  'research',
  '--measure',
  'cost',
  '--period',
  'month',
  '--amount',
  '250.00',
];

describe('limit set', () => {
  test('creates a limit, which limit list and limit show report', async () => {
    const { code, body } = await runJson(
      'set',
      ...BUDGET,
      '--name',
      'Budget',
      '--zone',
      'Europe/Berlin',
      '--alerts',
      '75,90',
    );
    expect([code, body]).toMatchObject([
      0,
      {
        scope: 'team',
        team_id: teamId,
        measure: 'cost',
        period: 'month',
        amount: '250',
        name: 'Budget',
        time_zone: 'Europe/Berlin',
        alert_thresholds: [75, 90],
        models: null,
      },
    ]);
    expect((await runJson('show', String(body.id))).body).toEqual(body);
    expect((await runJson('list', '--team', 'Research')).body).toEqual({ total: 1, has_more: false, limits: [body] });
    expect((await run('list')).stdout).toMatch(
      new RegExp(
        `^ID +NAME +FOR .*\\n${body.id} +Budget +team ${teamId} +cost +month +250 +0 +0 +250 .* active +enforce\\n`,
      ),
    );
    expect((await run('show', String(body.id))).stdout).toMatch(/\n  period +month\n  zone +Europe\/Berlin\n/);
  });

  test('changes the limit of --id, and keeps the options that are absent', async () => {
    const { body } = await runJson('set', ...BUDGET, '--carry-over', '10');
    const changed = await runJson(
      'set',
      '--id',
      String(body.id),
      '--amount',
      '300.5',
      '--models',
      'gpt-4o*,o1',
      '--mode',
      'observe',
    );
    expect([changed.code, changed.body]).toMatchObject([
      0,
      { id: body.id, amount: '300.5', models: ['gpt-4o*', 'o1'], mode: 'observe', carry_over: '10' },
    ]);
    const cleared = await runJson(
      'set',
      '--id',
      String(body.id),
      '--models',
      'all',
      '--carry-over',
      'none',
      '--alerts',
      'none',
      '--enabled',
      'false',
    );
    expect(cleared.body).toMatchObject({ models: null, carry_over: null, alert_thresholds: [], enabled: false });
  });

  test('keeps an amount of a billion dollars exactly', async () => {
    const { body } = await runJson('set', ...BUDGET.slice(0, -1), '1000000000', '--carry-over', '999999999.999999');
    expect(body).toMatchObject({ amount: '1000000000', carry_over: '999999999.999999' });
    const topUp = await runJson('top-up', String(body.id), '--amount', '1000000000');
    expect(topUp.body).toMatchObject({ amount: '1000000000' });
    expect((await run('show', String(body.id))).stdout).toContain(
      '2000000000 (1000000000, carried over 0, top-ups 1000000000)',
    );
    const rejected = await run('top-up', String(body.id), '--amount', '1000000000.1');
    expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('at most 1000000000')]);
  });

  test('reads numbers of tokens and weights', async () => {
    const { body } = await runJson(
      'set',
      '--scope',
      'key',
      '--key',
      keyId,
      '--measure',
      'tokens',
      '--period',
      'rolling_5h',
      '--amount',
      '1000',
      '--cached-input-weight',
      '0.1',
    );
    expect(body).toMatchObject({ amount: 1000, weights: { cached_input: 0.1, cache_write: 1 } });
    const rows = await source.query<object[]>(
      `select action, actor_type, metadata from audit_logs where target_type = 'limit' and target_id = $1`,
      [String(body.id)],
    );
    expect(rows).toMatchObject([{ action: 'limit.created', actor_type: 'system', metadata: { via: 'cli' } }]);
  });

  test('a limit with --from now does not count earlier usage', async () => {
    const today = dateOf(Date.now());
    await source.query('insert into usage_daily (key_id, day, model, requests) values ($1, $2, $3, 5000)', [
      keyId,
      today,
      'gpt-4o',
    ]);
    const beforeMs = Date.now();
    const requests = ['set', '--scope', 'account', '--measure', 'requests', '--amount', '10000'];
    for (const period of ['total', 'month', 'rolling_7d']) {
      const { body } = await runJson(...requests, '--period', period, '--from', 'now');
      expect([period, body['used']]).toEqual([period, 0]);
      const startsAtMs = Date.parse(body['starts_at'] as string);
      expect([startsAtMs >= beforeMs - 1000, startsAtMs <= Date.now() + 1000]).toEqual([true, true]);
    }
    const { body } = await runJson(...requests, '--period', 'total', '--from', '2026-01-01', '--to', 'now');
    expect(Date.parse(body['ends_at'] as string)).toBeGreaterThanOrEqual(beforeMs - 1000);
    expect((await run('show', String(body.id))).stdout).toMatch(/\n  state +ended\n/);
  });

  test.each<[string, string[], string]>([
    ['an empty list of models', ['--amount', '1', '--models', ''], 'models'],
    ['a negative amount', ['--amount=-1'], '--amount'],
    ['an unknown zone', ['--amount', '1', '--zone', 'Mars/Phobos'], '--zone'],
    ['an end before the start', ['--amount', '1', '--from', '2026-02-01', '--to', '2026-01-01'], '--to'],
    ['a missing amount', [], '--amount'],
    ['a weight of requests', ['--amount', '1', '--cached-input-weight', '2'], 'weights'],
  ])('%s is rejected with exit code 2, and the option is named', async (_what, args, words) => {
    const { code, stderr } = await run(
      'set',
      '--scope',
      'account',
      '--measure',
      'requests',
      '--period',
      'day',
      ...args,
    );
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(await source.query('select from limits')).toEqual([]);
  });

  test('prints the start, end, zone, weights and carry-over that are set', async () => {
    const plain = await run('set', '--scope', 'account', '--measure', 'requests', '--period', 'total', '--amount', '1');
    expect(plain.stdout).not.toMatch(/ (start|end|zone|weights|carry-over) /);
    const { body } = await runJson(
      'set',
      '--scope',
      'account',
      '--measure',
      'tokens',
      '--period',
      'day',
      '--amount',
      '1000',
      '--from',
      '2026-11-20',
      '--to',
      '2999-01-01',
      '--cached-input-weight',
      '0.1',
      '--carry-over',
      '500',
    );
    const { stdout } = await run('show', String(body.id));
    expect(stdout.replace(/ +/g, ' ')).toContain(
      '\n period day\n zone UTC\n start 2026-11-20 00:00Z\n end 2999-01-01 00:00Z\n models all\n' +
        ' weights cached input 0.1, cache write 1\n amount 1000\n carry-over at most 500\n used 0\n',
    );
  });

  test.each([
    ['paused', ['--from', 'now', '--enabled', 'false']],
    ['scheduled', ['--from', '2999-01-01']],
    ['ended', ['--from', '2025-11-20', '--to', '2025-11-21']],
    ['active', ['--from', '2025-11-20', '--to', '2999-01-01']],
  ])('limit set, show and list print the state %s', async (state, args) => {
    const { body } = await runJson('set', ...BUDGET);
    const { stdout } = await run('set', '--id', String(body.id), ...args);
    expect(stdout).toMatch(new RegExp(`^Updated limit ${body.id}\\.\\n  state +${state}\\n`));
    expect((await run('show', String(body.id))).stdout).toMatch(new RegExp(`\\n  state +${state}\\n`));
    expect((await run('list')).stdout).toMatch(new RegExp(`^ID .* STATE +MODE\\n.* ${state} +enforce\\n`));
  });

  test('--from now sets the current time, and --from none removes the start', async () => {
    const before = Date.now();
    const { body } = await runJson('set', ...BUDGET, '--from', 'now');
    const start = Date.parse(String(body['starts_at']));
    expect([start >= before, start <= Date.now()]).toEqual([true, true]);
    expect((await run('show', String(body.id))).stdout).toMatch(/\n  state +active\n/);
    const { body: cleared } = await runJson('set', '--id', String(body.id), '--from', 'none');
    expect(cleared['starts_at']).toBeNull();
  });

  test('an unknown team is rejected with exit code 2', async () => {
    const { code, stderr } = await run('set', ...BUDGET.with(3, 'Nobody'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--team')]);
  });
});

test('limit reset, limit top-up and limit delete change one limit', async () => {
  const { body } = await runJson('set', ...BUDGET);
  await source.query('update limit_counters set used = 5000000000');
  expect((await runJson('reset', String(body.id))).body).toMatchObject({ used: '0' });
  const topUp = await run('top-up', String(body.id), '--amount', '12.5', '--note', 'Launch', '--expires', 'never');
  expect(topUp.stdout).toMatch(new RegExp(`^Raised limit ${body.id} by 12.5.\\n {2}id {2}\\d+\\n$`));
  expect((await runJson('show', String(body.id))).body).toMatchObject({ effective_amount: '262.5' });
  expect((await run('top-up', String(body.id), '--amount', '0')).stderr).toContain('--amount');
  expect((await runJson('delete', String(body.id))).body).toEqual({ id: body.id, deleted: true });
  for (const args of [['show'], ['delete'], ['reset'], ['top-up', '--amount', '1'], ['set', '--amount', '1', '--id']])
    expect(await run(...args, String(body.id))).toMatchObject({
      code: 1,
      stderr: 'error: Limit not found. Use the ID that "limit list" shows.\n',
    });
  expect(await run('list')).toMatchObject({ code: 0, stdout: 'No limits found.\n' });
});

test('limit top-ups lists top-ups, and limit delete-top-up deletes one', async () => {
  const id = String((await runJson('set', ...BUDGET)).body.id);
  expect((await run('top-ups', id)).stdout).toBe('The limit has no top-ups.\n');
  const { body: first } = await runJson('top-up', id, '--amount', '10', '--expires', 'never');
  const { body: second } = await runJson('top-up', id, '--amount', '12.5', '--note', 'Launch');
  expect((await runJson('top-ups', id)).body).toEqual({ total: 2, has_more: false, top_ups: [second, first] });
  expect((await run('top-ups', id, '--limit', '1')).stdout).toMatch(
    new RegExp(`^ID +AMOUNT +FROM +TO +STATE +BY +NOTE\n${second.id} +12.5 .* active +system +Launch\n\n1 to 1 of 2.`),
  );
  expect((await runJson('delete-top-up', id, String(first.id))).body).toEqual({ id: first.id, deleted: true });
  expect(await run('delete-top-up', id, String(first.id))).toMatchObject({
    code: 1,
    stderr: 'error: Top-up not found. Use the ID that "limit top-ups" shows.\n',
  });
  expect((await runJson('show', id)).body).toMatchObject({ top_ups: '12.5' });
});

test('limit alerts lists the alerts of a limit', async () => {
  const id = String((await runJson('set', ...BUDGET)).body.id);
  expect((await run('alerts', id)).stdout).toBe('The limit has no alerts.\n');
  await source.query(
    `insert into limit_alerts (limit_id, period, threshold, at, used, amount)
     values ($1, 1767225600000000, 80, now(), 200000000000, 250000000000),
            ($1, 1767225600000000, 0, now(), 1, 250000000000)`,
    [id],
  );
  const { stdout } = await run('alerts', id);
  expect(stdout).toMatch(/^AT +ALERT +USED +AMOUNT +PERIOD FROM\n/);
  expect(stdout).toMatch(/ 80 % +200 +250 +2026-01-01 00:00Z\n/);
  expect(stdout).toMatch(/ forecast +0.000000001 +250 /);
  const { body } = await runJson('alerts', id);
  expect(body).toMatchObject({ total: 2, alerts: [{ threshold: 80 }, { type: 'forecast' }] });
  expect((await run('alerts', '999999')).stderr).toContain('Limit not found');
});

test('limit simulate shows which requests a limit would have rejected', async () => {
  const peak = dateOf(Date.now() - 2 * DAY_MS);
  await source.query('insert into usage_daily (key_id, day, model, requests) values ($1, $2, $3, 400)', [
    keyId,
    peak,
    'm',
  ]);
  const draft = ['--scope', 'account', '--measure', 'requests', '--amount', '100'];
  const { stdout } = await run('simulate', ...draft, '--period', 'day', '--since', dateOf(Date.now() - 9 * DAY_MS));
  expect(stdout).toContain('the limit would have been reached in 1 of 10 periods.\n');
  expect(stdout).toContain('It would have rejected an amount of 300, in about 300 of 400 requests.\n');
  expect(stdout).toMatch(new RegExp(`\\n${peak} 00:00Z .* 400 +${peak} 06:00Z +300 +300\\n`));
  expect((await run('simulate', ...draft, '--period', 'minute')).stdout).toContain('cannot be simulated');
  expect(await source.query('select from limits')).toEqual([]);
});
