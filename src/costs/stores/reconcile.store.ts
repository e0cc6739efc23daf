import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sqlFile } from '../../platform/database/sql-file.js';
import { validationError } from '../../platform/errors/error-factories.js';
import type { GatewayRow } from '../reconcile/comparison.rules.js';
import { GATEWAY_COLUMN_NAMES } from '../reconcile/measures.data.js';
import { requestCountsOf } from '../report/cost-figures.rules.js';

/** Bounds memory: about 1 KB per row. */
const ROWS_MAX = 50_000;

const ROWS = sqlFile(import.meta.url, './daily-model-costs.sql');

/** Reads recorded costs by day, model and upstream. */
@Injectable()
export class ReconcileStore {
  constructor(private readonly source: DataSource) {}

  /**
   * @param from first day, such as `2026-07-31`; `to` is the last one
   * @param provider the name of an upstream, or null for all
   */
  async rows(from: string, to: string, provider: string | null): Promise<GatewayRow[]> {
    const rows = await this.source.query<Record<string, string>[]>(ROWS, [from, to, provider, ROWS_MAX + 1]);
    if (rows.length > ROWS_MAX)
      throw validationError('csv', 'The gateway has too many models in this period. Export fewer days.');
    return rows.map((row) => ({
      day: row.day!,
      model: row.model!,
      provider: row.provider!,
      ...requestCountsOf(row),
      columns: Object.fromEntries(
        GATEWAY_COLUMN_NAMES.map((name) => [name, BigInt(row[name]!)]),
      ) as GatewayRow['columns'],
    }));
  }
}
