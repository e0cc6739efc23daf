import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import { dateOf } from '../reports/usage-range.rules.js';
import { COUNTED_KINDS } from '../../costs/usage-kinds.data.js';
import type { UsageRow } from '../usage-ledger.js';

const ADD = sqlFile(import.meta.url, './add-usage.sql');
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
        JSON.stringify(rows.filter(isUsed).map(usageRowOf)),
        JSON.stringify(rows.flatMap(costRowsOf)),
        `[${rows.flatMap(unpricedOf).join()}]`,
        JSON.stringify(rows.flatMap(failuresOf)),
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

  /** The JSON of a row, for records that cannot be stored. */
  textOf(row: UsageRow): string {
    const [usage, costs, unpriced] = [usageRowOf(row), costRowsOf(row), unpricedOf(row)];
    return `{"usage":${JSON.stringify(usage)},"costs":${JSON.stringify(costs)},"unpriced":[${unpriced.join()}]}`;
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

/** The largest PostgreSQL `bigint`. */
const NANOS_MAX = 2n ** 63n - 1n;

/** Other rows contain only failures. */
const isUsed = ({ requests }: UsageRow): boolean => requests > 0;

const failuresOf = ({ keyId, day, failures }: UsageRow): object[] =>
  [...failures].map(([code, counts]) => ({ day: dateOf(day), key_id: keyId, code, ...counts }));

const usageRowOf = (row: UsageRow): object => ({
  key_id: row.keyId,
  day: dateOf(row.day),
  month: row.month,
  model: row.model,
  requests: row.requests,
  errors: row.errors,
  input_tokens: row.inputTokens,
  output_tokens: row.outputTokens,
  estimated_tokens: row.estimatedTokens,
  additional_tokens: row.additionalTokens,
});

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
  costs.unpriced().map(({ endpoint, provider, models, unpricedModel, baseUrl, objectId, part }) => {
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
      object_id: objectId,
    };
    return `${JSON.stringify(row).slice(0, -1)},"items":${part.items}}`;
  });
