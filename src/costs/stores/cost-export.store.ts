import { Injectable } from '@nestjs/common';
import { ReportSource } from '../../platform/database/report-source.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { Days } from '../days.rules.js';
import { figuresOf, type CostFigures, type FiguresRow } from '../report/cost-figures.rules.js';
import type { CostFilter } from '../report/cost-query.js';
import { filterValues, rowFilterOf, type RowFilter } from '../report/row-filter.read-model.js';

const PAGE = sqlFile(import.meta.url, './cost-export.sql');

/** A row of `cost_daily`, the finest sums that exist. Empty texts stand for none. */
export interface CostRecord extends CostFigures {
  /** Such as `2026-07-31`. */
  readonly day: string;
  readonly keyId: string;
  /** Null for an unknown key. */
  readonly keyName: string | null;
  /** The team of the key now. Null if it has none. */
  readonly teamName: string | null;
  readonly model: string;
  readonly endpoint: string;
  readonly provider: string;
}

export type RecordPosition = Pick<CostRecord, 'day' | 'keyId' | 'model' | 'endpoint' | 'provider'>;

const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Reads recorded costs page by page in the order of the primary key, so that an export of any size needs little memory. */
@Injectable()
export class CostExportStore {
  constructor(private readonly source: ReportSource) {}

  filterOf(filter: CostFilter): Promise<RowFilter> {
    return rowFilterOf(this.source, filter);
  }

  /** @param after the last record of the previous page; null for the first page */
  async page(days: Days, filter: RowFilter, after: RecordPosition | null, limit: number): Promise<CostRecord[]> {
    const { day, keyId, model, endpoint, provider } = after ?? { ...NOTHING, day: days.from };
    const position = JSON.stringify({ day, keyId, model, endpoint, provider });
    const values = [...filterValues(filter), days.from, days.to, position, limit];
    const rows = await this.source.query<FiguresRow[]>(PAGE, values);
    return rows.map((row) => ({ ...(row as unknown as Named), ...figuresOf(row) }));
  }
}

/** Precedes every record of a day. */
const NOTHING = { keyId: NIL_ID, model: '', endpoint: '', provider: '' } as const;

type Named = Omit<CostRecord, keyof CostFigures>;
