import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { DataSource } from 'typeorm';
import { Config } from '../../../src/platform/config/config.js';
import type { OperatorPrices } from '../../../src/costs/operator-prices.service.js';
import { BackfillPrices } from '../../../src/costs/report/backfill-prices.service.js';
import { CostBackfill } from '../../../src/costs/report/cost-backfill.service.js';
import { CostReports } from '../../../src/costs/report/cost-report.service.js';
import { AppliedPrices } from '../../../src/costs/applied-price.service.js';
import { CostBackfillStore } from '../../../src/costs/stores/cost-backfill.store.js';
import { CostReportStore } from '../../../src/costs/stores/cost-report.store.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { READY_DATABASE } from '../../support/ready-database.js';
import { connect, StatsDatabase } from '../../support/stats-database.js';
import { dateOf, DAY_MS, insertRows, newKeys, type CostRow } from '../../support/cost-rows.js';

const CONFIG = Config.from({ GW_UPSTREAM_BASE_URL: 'https://api.openai.com/v1' });
const NO_OPERATOR_PRICES = {
  isEmpty: true,
  known: true,
  find: () => null,
  whenKnown: Promise.resolve(),
} as unknown as OperatorPrices;

let database: StatsDatabase;
let source: DataSource;
let keys: string[];
beforeAll(async () => {
  database = await StatsDatabase.create();
  source = database.source;
  keys = await newKeys(source, ['one', 'two']);
  jest.spyOn(Logger.prototype, 'log').mockReturnValue(undefined);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await database.close();
});
beforeEach(async () => {
  await source.query('delete from cost_daily');
  await source.query('delete from usage_daily');
  await source.query('update cost_backfill set until = null, filled_from = null, finished_at = null');
});

const backfillOn = (connection: DataSource) =>
  new CostBackfill(
    new CostBackfillStore(connection, new Transactions(connection)),
    new BackfillPrices(CONFIG, NO_OPERATOR_PRICES, new AppliedPrices(NO_OPERATOR_PRICES, CONFIG)),
    READY_DATABASE,
    new SchedulerRegistry(),
  );
const day = (ago: number) => dateOf(Date.UTC(2026, 5, 30) - ago * DAY_MS);

interface Used {
  readonly ago: number;
  readonly keyId: string;
  readonly model: string;
  readonly requests: number;
  readonly input: number;
  readonly output: number;
}
const recordUsage = (used: readonly Used[]) =>
  source.query(
    `insert into usage_daily (key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
     select key_id, day, model, requests, 0, input, output, 0
       from jsonb_to_recordset($1::jsonb) as u(key_id uuid, day date, model text, requests bigint, input bigint, output bigint)`,
    [JSON.stringify(used.map(({ ago, keyId, ...each }) => ({ ...each, day: day(ago), key_id: keyId })))],
  );
const recordedCost = (ago: number): CostRow => ({
  day: day(ago),
  keyId: keys[0]!,
  model: 'gpt-4o',
  endpoint: '/v1/chat/completions',
  provider: 'default',
  requests: 1,
  unpriced: 0,
  estimated: 0,
  nanos: 5n,
  backfilled: false,
  units: 1,
});
interface Filled {
  readonly day: string;
  readonly key_id: string;
  readonly model: string;
  readonly requests: string;
  readonly unpriced_requests: string;
  readonly cost_nanos: string;
  readonly input: string;
  readonly output: string;
}
const filled = () =>
  source.query<Filled[]>(
    `select day::text, key_id, model, requests, unpriced_requests, cost_nanos, input, output from cost_daily
      where backfilled and endpoint = '' and provider = '' order by day, key_id, model`,
  );
const isFinished = async () =>
  (await source.query<{ done: boolean }[]>('select finished_at is not null as done from cost_backfill'))[0]!.done;

/** gpt-4o costs $2.50 and $10 per million tokens since October 2024. */
const costOf = ({ input, output }: Used) => BigInt(input) * 2500n + BigInt(output) * 10_000n;

const history = (): Used[] =>
  Array.from({ length: 12 }, (_, n) => n + 1).flatMap((ago) =>
    keys.flatMap((keyId, n) => [
      { ago, keyId, model: 'gpt-4o', requests: 2 + n, input: 1000 * ago, output: 100 * ago },
      { ago, keyId, model: 'no-such-model', requests: 3, input: 7, output: 7 },
      { ago, keyId, model: '', requests: 1, input: 0, output: 0 },
    ]),
  );

describe('the backfill of costs', () => {
  test('prices each day before the first recorded cost by its tokens, and marks what has no price', async () => {
    const used = history();
    await recordUsage([...used, { ago: 0, keyId: keys[0]!, model: 'gpt-4o', requests: 9, input: 9, output: 9 }]);
    await insertRows(source, [recordedCost(0)]);
    await backfillOn(source).run();
    expect(await filled()).toEqual(
      used
        .map((each) => {
          const unpriced = each.model === 'no-such-model';
          return {
            day: day(each.ago),
            key_id: each.keyId,
            model: each.model,
            requests: String(each.requests),
            unpriced_requests: unpriced ? '3' : '0',
            input: String(each.input),
            output: String(each.output),
            cost_nanos: String(each.model === 'gpt-4o' ? costOf(each) : 0n),
          };
        })
        .toSorted((a, b) => (`${a.day} ${a.key_id} ${a.model}` < `${b.day} ${b.key_id} ${b.model}` ? -1 : 1)),
    );
    expect(await isFinished()).toBe(true);
    const report = await new CostReports(new CostReportStore(source)).read(
      {
        days: { from: day(30), to: day(0) },
        grouping: 'day',
        filter: {},
        sort: 'name',
        limit: 500,
        offset: 0,
        rowsMax: 500,
      },
      Date.now(),
    );
    const total = (of: (each: Used) => number) => used.reduce((sum, each) => sum + of(each), 0);
    expect(report.totals).toMatchObject({
      backfilledRequests: total(({ requests }) => requests),
      requests: total(({ requests }) => requests) + 1,
    });
    expect(report.groups.map(({ backfilledRequests }) => backfilledRequests > 0)).toEqual([
      ...Array.from({ length: 12 }, () => true),
      false,
    ]);
  });

  test('waits for the first recorded cost', async () => {
    await recordUsage(history());
    const backfill = backfillOn(source);
    await backfill.run();
    expect([await filled(), await isFinished()]).toEqual([[], false]);
    await insertRows(source, [recordedCost(4)]);
    await backfill.run();
    expect([...new Set((await filled()).map((row) => row.day))]).toEqual(
      Array.from({ length: 8 }, (_, n) => day(12 - n)),
    );
  });

  test('runs once: later usage of earlier days changes nothing', async () => {
    await recordUsage(history());
    await insertRows(source, [recordedCost(0)]);
    await backfillOn(source).run();
    const before = await filled();
    await recordUsage([{ ago: 40, keyId: keys[0]!, model: 'gpt-4o', requests: 1, input: 1, output: 1 }]);
    await source.query('update usage_daily set input_tokens = input_tokens + 1000');
    await backfillOn(source).run();
    expect(await filled()).toEqual(before);
  });

  test('fills in each day exactly once if several processes run it and some lose their connections', async () => {
    const used = history();
    await recordUsage(used);
    await insertRows(source, [recordedCost(0)]);
    for (let round = 0; !(await isFinished()); round++) {
      const connections = await Promise.all([connect(database.url), connect(database.url)]);
      const runs = connections.map((connection) =>
        backfillOn(connection)
          .run()
          .catch(() => undefined),
      );
      if (round < 8)
        await source.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        );
      await Promise.all(runs);
      await Promise.all(connections.map((connection) => connection.destroy()));
    }
    const rows = await filled();
    expect(rows).toHaveLength(used.length);
    const nanos = rows.reduce((sum, row) => sum + BigInt(row.cost_nanos), 0n);
    expect(nanos).toBe(used.filter(({ model }) => model === 'gpt-4o').reduce((sum, each) => sum + costOf(each), 0n));
  });
});
