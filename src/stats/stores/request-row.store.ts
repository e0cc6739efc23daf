import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ensureMonthPartitions } from '../../platform/database/month-partitions.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import { monthOf } from '../../quota/utc-windows.rules.js';
import type { RequestRow } from '../pending-records.js';

const INSERT = {
  request_logs: sqlFile(import.meta.url, './insert-request-logs.sql'),
  request_refusals: sqlFile(import.meta.url, './insert-request-refusals.sql'),
} as const;
const DELETE_OLD_REFUSALS = sqlFile(import.meta.url, './delete-old-refusals.sql');

export type RequestTable = keyof typeof INSERT;

@Injectable()
export class RequestRowStore {
  private readonly months = new Set<number>();

  constructor(private readonly source: DataSource) {}

  /** Idempotent, because existing rows stay unchanged. */
  async write(table: RequestTable, rows: readonly RequestRow[]): Promise<void> {
    if (table === 'request_logs') for (const row of rows) await this.ensureMonthOf(row.createdAtMs);
    try {
      await this.source.query(INSERT[table], [`[${rows.map(jsonOf).join()}]`]);
    } catch (error) {
      // Another process can have dropped the partition.
      this.months.clear();
      throw error;
    }
  }

  /** The JSON of a row, for records that cannot be stored. */
  textOf(row: RequestRow): string {
    return jsonOf(row);
  }

  async ensureMonthOf(ms: number): Promise<void> {
    const month = monthOf(ms);
    if (this.months.has(month)) return;
    await ensureMonthPartitions((sql) => this.source.query(sql), 'request_logs', new Date(ms), 1);
    this.months.add(month);
  }

  /** Deletes refusals after 7 days (D15). Skips rows that another process is deleting. */
  async deleteOldRefusals(count: number): Promise<number> {
    const [row] = await this.source.query<{ deleted: number }[]>(DELETE_OLD_REFUSALS, [count]);
    return row?.deleted ?? 0;
  }
}

/** The JSON of a row. Attempts and costs are JSON already. */
const jsonOf = (row: RequestRow): string => {
  const columns = {
    id: row.id,
    created_at: new Date(row.createdAtMs).toISOString(),
    key_id: row.keyId,
    status: row.status,
    stream: row.stream,
    latency_ms: row.latencyMs,
    upstream_latency_ms: row.upstreamLatencyMs,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    method: row.method,
    endpoint: row.endpoint,
    model: row.model,
    error_code: row.errorCode,
    error_message: row.errorMessage,
    usage_source: row.usageSource,
    upstream: row.upstream,
    cost_nanos: row.costNanos,
  };
  return `${JSON.stringify(columns).slice(0, -1)},"attempts":${row.attempts},"cost":${row.cost}}`;
};
