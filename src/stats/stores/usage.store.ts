import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dateOf } from '../reports/usage-range.rules.js';
import { COUNTED_KINDS } from '../../costs/usage-kinds.data.js';
import type { UsageRow } from '../usage-ledger.js';

const ATTEMPTS_MAX = 4;

/**
 * Adds batches of usage sums to the monthly and daily tables. Each batch is added exactly once, even if the connection is lost
 * before its result arrives. The same statement checks and writes the batch number, in a row of `quota_writer` that only this
 * process writes.
 */
@Injectable()
export class UsageStore {
  private writerId = randomUUID();
  private hasRow = false;
  /** The batch before this one is committed. */
  private number = 1;

  constructor(private readonly source: DataSource) {}

  /** After a failure the outcome is unknown. Call it again with the same rows until it resolves. */
  async write(rows: readonly UsageRow[]): Promise<void> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      if (!this.hasRow) await this.insertWriter();
      const [result] = await this.source.query<{ held: number; was: string | null }[]>(ADD, [
        this.writerId,
        this.number,
        ...columnsOf(rows),
        JSON.stringify(rows.flatMap(costRowsOf)),
        `[${rows.flatMap(unpricedOf).join()}]`,
      ]);
      const was = result?.was ?? null;
      const stored = was === null ? null : Number(was);
      if (result?.held === 1 || stored === this.number) {
        this.number += 1;
        return;
      }
      // number - 1: an earlier attempt committed while this one waited for the lock. The next attempt sees its result.
      // Anything else: the row was deleted after a week without use, or was lost in a failover. A new row replaces it.
      if (stored !== this.number - 1) this.forgetWriter();
    }
    throw new Error('The usage batch was not stored');
  }

  private async insertWriter(): Promise<void> {
    await this.source.query('insert into quota_writer (writer_id, batch) values ($1, 0) on conflict do nothing', [
      this.writerId,
    ]);
    this.hasRow = true;
  }

  private forgetWriter(): void {
    this.writerId = randomUUID();
    this.hasRow = false;
    this.number = 1;
  }
}

/** The columns of `cost_daily` that are sums. */
const SUMS: readonly string[] = ['requests', 'unpriced_requests', 'estimated_requests', 'cost_nanos', ...COUNTED_KINDS];
/** The largest PostgreSQL `bigint`. */
const NANOS_MAX = 2n ** 63n - 1n;

/** Costs stop at their maximum. A provider that reports absurd usage must not prevent the usage of others from being stored. */
const addition = (name: string): string =>
  name === 'cost_nanos'
    ? `cost_nanos = least(u.cost_nanos::numeric + excluded.cost_nanos, ${NANOS_MAX})::bigint`
    : `${name} = u.${name} + excluded.${name}`;

const TYPED_SUMS = SUMS.map((name) => `${name} bigint`).join(', ');

// Every process writes the tables in this order and the rows in key order, so that there are no deadlocks.
const ADD = `
with fence as materialized (
  select from quota_writer where writer_id = $1 and batch = $2::bigint - 1 for no key update
), r as materialized (
  select * from unnest($3::uuid[], $4::date[], $5::int[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
                            $12::bigint[])
             as r(key_id, day, month, model, requests, errors, input_tokens, output_tokens, estimated_tokens, additional_tokens)
   where exists (select from fence)
), by_month as (
  insert into usage_monthly as u (key_id, month, requests, errors, input_tokens, output_tokens, estimated_tokens, additional_tokens)
  select key_id, month, sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(estimated_tokens), sum(additional_tokens)
    from r group by key_id, month order by key_id, month
  on conflict (key_id, month) do update set requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
     input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
     estimated_tokens = u.estimated_tokens + excluded.estimated_tokens,
     additional_tokens = u.additional_tokens + excluded.additional_tokens
), by_day as (
  insert into usage_daily as u (key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens)
  select key_id, day, model, requests, errors, input_tokens, output_tokens, estimated_tokens from r order by key_id, day, model
  on conflict (key_id, day, model) do update set requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
     input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
     estimated_tokens = u.estimated_tokens + excluded.estimated_tokens
), c as materialized (
  select * from jsonb_to_recordset($13::jsonb) as c(day date, key_id uuid, model text, endpoint text, provider text, ${TYPED_SUMS})
   where exists (select from fence)
), by_cost as (
  insert into cost_daily as u (day, key_id, model, endpoint, provider, ${SUMS.join(', ')})
  select day, key_id, model, endpoint, provider, ${SUMS.join(', ')} from c order by day, key_id, model, endpoint, provider
  on conflict (day, key_id, model, endpoint, provider) do update set ${SUMS.map(addition).join(', ')}
), unpriced as (
  insert into unpriced_batches (day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at, requests, units, items)
  select day, key_id, model, answered_model, models, endpoint, provider, base_url, first_at, last_at, requests, units, items
    from json_to_recordset($14::json) as n(day date, key_id uuid, model text, answered_model text, models text[], endpoint text, provider text, base_url text,
                                           first_at timestamptz, last_at timestamptz, requests int, units jsonb, items json)
   where exists (select from fence)
), marked as (
  update quota_writer set batch = $2, at = clock_timestamp() where writer_id = $1 and batch = $2::bigint - 1
)
select (select count(*)::int from fence) as held, (select batch from quota_writer where writer_id = $1) as was`;

const costRowsOf = ({ keyId, day, model, costs }: UsageRow): object[] =>
  costs.all().map(({ endpoint, provider, units, ...sums }) => ({
    day: dateOf(day),
    key_id: keyId,
    model,
    endpoint,
    provider,
    requests: sums.requests,
    unpriced_requests: sums.unpricedRequests,
    estimated_requests: sums.estimatedRequests,
    // A JSON number above 2^53 would be rounded.
    cost_nanos: String(sums.nanos > NANOS_MAX ? NANOS_MAX : sums.nanos),
    ...Object.fromEntries(COUNTED_KINDS.map((kind) => [kind, units.get(kind) ?? 0])),
  }));

/** The JSON of a row for each part. The items are JSON already. */
const unpricedOf = ({ keyId, day, model, costs }: UsageRow): string[] =>
  costs.unpriced().map(({ endpoint, provider, models, unpricedModel, baseUrl, part }) => {
    const row = {
      day: dateOf(day),
      key_id: keyId,
      model,
      answered_model: unpricedModel,
      models,
      endpoint,
      provider,
      base_url: baseUrl,
      first_at: new Date(part.firstAtMs).toISOString(),
      last_at: new Date(part.lastAtMs).toISOString(),
      requests: part.requests,
      units: part.units,
    };
    return `${JSON.stringify(row).slice(0, -1)},"items":${part.items}}`;
  });

const columnsOf = (rows: readonly UsageRow[]): unknown[] => [
  rows.map((row) => row.keyId),
  rows.map((row) => dateOf(row.day)),
  rows.map((row) => row.month),
  rows.map((row) => row.model),
  rows.map((row) => row.requests),
  rows.map((row) => row.errors),
  rows.map((row) => row.inputTokens),
  rows.map((row) => row.outputTokens),
  rows.map((row) => row.estimatedTokens),
  rows.map((row) => row.additionalTokens),
];
