import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { admissionKey } from '../../src/quota/ledger/key-admission.js';
import { rowOfLists } from '../../src/quota/ledger/prepared-statement.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { addLimit } from '../support/limit-rows.js';
import { QuotaDatabase } from '../support/quota-database.js';
import { randomOf, type Random } from '../support/random.js';

const NOON = Date.UTC(2030, 4, 15, 12, 0, 30);
const MONTH = 2030 * 12 + 4;
const CASES = 300;

let database: QuotaDatabase;
beforeAll(async () => {
  database = await QuotaDatabase.create();
  await database.setNow(NOON);
});
afterAll(() => database.drop());

const query = <R extends object>(sql: string, values: unknown[] = []) => database.client.query<R>(sql, values);

interface Request {
  readonly writerId: string;
  readonly key: KeySnapshot;
  readonly setVersion: string;
  readonly ids: readonly number[];
  readonly asked: readonly number[];
  readonly overdraft: readonly number[];
  /** The order in which the request names its limits. */
  readonly order: readonly number[];
}

const KINDS = [
  { measure: 'requests', period: 'minute' },
  { measure: 'requests', period: 'rolling_5h' },
  { measure: 'tokens', period: 'day', carry_over: 50 },
  { measure: 'cost', period: 'month' },
  { measure: 'tokens', period: 'rolling_7d' },
  { measure: 'concurrent_requests', period: 'total' },
  { measure: 'tokens', period: 'week', zone: 'Europe/Berlin' },
];

/** A key with up to seven limits in random states, and a request that it sends. Everything is rolled back. */
async function scene(random: Random): Promise<Request> {
  const limited = { rpmLimit: 5, rpdLimit: 9, monthlyLimit: 12, monthlyTokenLimit: 100, tokenCounting: 'all' } as const;
  const key = await database.addKey(random.below(2) === 0 ? limited : {});
  await query(
    `update key_quota set minute = $2, minute_count = $3, day = $4, day_count = $5, month = $6, month_count = $7 where key_id = $1`,
    [
      key.id,
      Math.floor(NOON / 60_000) - random.below(2),
      random.below(7),
      Math.floor(NOON / 86_400_000),
      random.below(11),
      MONTH - random.below(2),
      random.below(14),
    ],
  );
  if (random.below(2) === 0) await database.recordTokens(key.id, MONTH, 1 + random.below(120), random.below(60));
  const writerId = randomUUID();
  await query('insert into quota_writer (writer_id, batch, expired_at) values ($1, 6, $2)', [
    writerId,
    random.below(20) === 0 ? new Date(NOON) : null,
  ]);
  const ids: number[] = [];
  for (const kind of KINDS.filter(() => random.below(2) === 0)) ids.push(await limitIn(random, kind, writerId));
  if (ids.length === 0) ids.push(await limitIn(random, KINDS[2]!, writerId));
  // As if the limit had just been deleted.
  if (random.below(15) === 0) ids.push(ids.at(-1)! + 1);
  const { rows } = await query<{ version: string }>('select version from limit_set');
  return {
    writerId,
    ids,
    asked: ids.map(() => 1 + random.below(30)),
    order: ids.map((_, i) => i).reverse(),
    overdraft: ids.map(() => random.one([0, random.below(150)])),
    key: random.below(12) === 0 ? { ...key, version: key.version - 1 } : key,
    setVersion: random.below(12) === 0 ? '5' : rows[0]!.version,
  };
}

/** A limit that can be nearly used up, disabled, observed, outside of its times, or in a period that has ended. */
async function limitIn(random: Random, kind: (typeof KINDS)[number], writerId: string): Promise<number> {
  const id = await addLimit(database.client, {
    ...kind,
    amount: 100,
    enabled: random.below(10) > 0,
    mode: random.below(6) === 0 ? 'observe' : 'enforce',
    thresholds: [50],
    starts_at: random.below(10) === 0 ? new Date(NOON + 60_000) : null,
  });
  const used = random.below(120);
  await query('update limit_counters set used = $2, held = $3, overdraft = $4 where limit_id = $1', [
    id,
    used,
    random.one([0, random.below(20)]),
    random.below(90),
  ]);
  if (kind.period.startsWith('rolling'))
    await query('update limit_counters set buckets[bucket % cardinality(buckets) + 1] = $2 where limit_id = $1', [
      id,
      used,
    ]);
  if (random.below(8) === 0)
    await query('update limit_counters set until = since, period = greatest(0, period - 1) where limit_id = $1', [id]);
  if (random.below(2) === 0)
    await query(
      'insert into limit_holds select $1, limit_id, period + $3, 7, 3 from limit_counters where limit_id = $2',
      [writerId, id, random.below(2)],
    );
  return id;
}

const textOf = (figures: readonly number[]): string => `{${figures.join(',')}}`;

const COLUMNS = `outcome, now_ms, set_version, o_key, o_version, o_m, o_mu, o_d, o_du, o_mo, o_mou, o_tokens, o_additional, o_granted, o_period, o_used,
  o_held, o_amount, o_overdraft, o_refused, o_refused_by, o_until`;

const asBatch = (request: Request): Promise<object> =>
  admittedBy('limits_admit_3($1, 7, $2, array[$3::admission_key], $4, $5, $6, $7)', request);

const asOne = (request: Request): Promise<object> =>
  admittedBy('limits_admit_one_2($1, 7, $2, $3::admission_key, $4, $5, $6, $7)', request);

async function admittedBy(call: string, request: Request): Promise<object> {
  const { writerId, key, setVersion, ids, asked, overdraft, order } = request;
  const requests = rowOfLists([
    '{1}',
    `{${ids.length}}`,
    textOf(order.map((i) => i + 1)),
    textOf(order.map((i) => asked[i]!)),
    textOf(order.map((i) => overdraft[i]!)),
  ]);
  const entry = admissionKey({ ...key, keyId: key.id, count: 1, requests: [] });
  const values = [writerId, setVersion, entry, ids, asked, overdraft, requests];
  const { rows } = await query<object>(`select ${COLUMNS} from ${call}`, values);
  return rows[0]!;
}

/** The result of a call, and everything that it has written. */
async function effectOf(call: () => Promise<object>): Promise<object> {
  await query('savepoint before');
  const result = await call();
  const { rows } = await query<object>(
    `select (select jsonb_agg(to_jsonb(q) order by key_id) from key_quota q) as keys, (select jsonb_agg(to_jsonb(c) order by limit_id) from limit_counters c) as counters,
            (select jsonb_agg(to_jsonb(h) order by writer_id, limit_id) from limit_holds h) as holds, (select jsonb_agg(to_jsonb(w) order by writer_id) from quota_writer w) as writers,
            (select jsonb_agg(jsonb_build_array(limit_id, threshold, used) order by limit_id, threshold) from limit_alerts) as alerts`,
  );
  await query('rollback to before');
  return { result, stored: rows[0]! };
}

describe('the admission of a single request', () => {
  test('decides and writes the same as the admission of a batch, in all states of its key and its limits', async () => {
    const seed = Date.now() >>> 0;
    const random = randomOf(seed);
    const outcomes = new Map<string, number>();
    for (let i = 0; i < CASES; i++) {
      await query('begin');
      const request = await scene(random);
      const [one, batch] = [await effectOf(() => asOne(request)), await effectOf(() => asBatch(request))];
      expect({ seed, i, ...one }).toEqual({ seed, i, ...batch });
      const { outcome, o_granted: granted } = (batch as { result: { outcome: string | null; o_granted: number[] } })
        .result;
      const name = `${outcome} ${outcome === 'decided' ? granted?.[0] : ''}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
      await query('rollback');
    }
    for (const name of ['decided 1', 'decided 0', 'decided null', 'stale ', 'null '])
      expect([name, outcomes.get(name) ?? 0]).not.toEqual([name, 0]);
  });
});
