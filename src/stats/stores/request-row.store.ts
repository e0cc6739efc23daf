import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { ensureMonthPartitions } from '../../platform/database/month-partitions.js';
import { monthOf } from '../../quota/windows.js';
import type { RequestRow } from '../request-row.js';

export type RequestTable = 'request_logs' | 'request_refusals';

@Injectable()
export class RequestRowStore {
  private readonly months = new Set<number>();

  constructor(private readonly source: DataSource) {}

  /** Idempotent, because existing rows stay unchanged. */
  async write(table: RequestTable, rows: readonly RequestRow[]): Promise<void> {
    if (table === 'request_logs') for (const row of rows) await this.ensureMonthOf(row.createdAtMs);
    try {
      await this.source.query(INSERT[table], columnsOf(rows));
    } catch (error) {
      // The partition was possibly dropped.
      this.months.clear();
      throw error;
    }
  }

  async ensureMonthOf(ms: number): Promise<void> {
    const month = monthOf(ms);
    if (this.months.has(month)) return;
    await ensureMonthPartitions((sql) => this.source.query(sql), 'request_logs', new Date(ms), 1);
    this.months.add(month);
  }

  /** Deletes refusals after 7 days (D15). Skips rows that another process is deleting. */
  async deleteOldRefusals(count: number): Promise<number> {
    const [row] = await this.source.query<{ deleted: number }[]>(
      `with old as materialized (
         select created_at, id from request_refusals where created_at < now() - interval '7 days'
          order by created_at, id limit $1 for update skip locked
       ), gone as (
         delete from request_refusals r using old where r.created_at = old.created_at and r.id = old.id returning 1
       )
       select count(*)::int as deleted from gone`,
      [count],
    );
    return row?.deleted ?? 0;
  }
}

/** SQLSTATE class 22: the database rejects the values, so a retry is useless. */
export function areUnwritable(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code } = error.driverError as { code?: unknown };
  return typeof code === 'string' && code.startsWith('22');
}

const insertInto = (table: RequestTable): string => `
insert into ${table} (id, created_at, key_id, status, stream, latency_ms, upstream_latency_ms, input_tokens, output_tokens,
                      method, endpoint, model, error_code, error_message, usage_source, upstream, attempts, cost_nanos, cost)
select * from unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::smallint[], $5::boolean[], $6::int[], $7::int[], $8::int[], $9::int[],
                     $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
                     $16::text[], $17::jsonb[], $18::bigint[], $19::jsonb[])
on conflict do nothing`;

const INSERT = { request_logs: insertInto('request_logs'), request_refusals: insertInto('request_refusals') } as const;

const columnsOf = (rows: readonly RequestRow[]): unknown[] => [
  rows.map((row) => row.id),
  rows.map((row) => new Date(row.createdAtMs).toISOString()),
  rows.map((row) => row.keyId),
  rows.map((row) => row.status),
  rows.map((row) => row.stream),
  rows.map((row) => row.latencyMs),
  rows.map((row) => row.upstreamLatencyMs),
  rows.map((row) => row.inputTokens),
  rows.map((row) => row.outputTokens),
  rows.map((row) => row.method),
  rows.map((row) => row.endpoint),
  rows.map((row) => row.model),
  rows.map((row) => row.errorCode),
  rows.map((row) => row.errorMessage),
  rows.map((row) => row.usageSource),
  rows.map((row) => row.upstream),
  rows.map((row) => row.attempts),
  rows.map((row) => row.costNanos),
  rows.map((row) => row.cost),
];
