import { csvLine, type CsvCell } from '../../platform/csv/csv-line.rules.js';
import type { LimitResponse } from './limit.response.dto.js';

const COLUMNS = [
  'id',
  'name',
  'scope',
  'team_id',
  'key_id',
  'tag',
  'measure',
  'period',
  'time_zone',
  'models',
  'amount',
  'mode',
  'reserve',
  'weights',
  'starts_at',
  'ends_at',
  'enabled',
  'alert_thresholds',
  'carry_over',
  'used',
  'reserved',
  'estimated',
  'remaining',
  'effective_amount',
  'carried_over',
  'top_ups',
  'period_started_at',
  'resets_at',
  'created_at',
  'updated_at',
] as (keyof LimitResponse)[];

export const limitCsv = (limits: readonly LimitResponse[]): string =>
  csvLine([...COLUMNS, 'forecast_reached_at', 'forecast_amount_at_reset']) +
  limits
    .map((limit) =>
      csvLine([
        ...COLUMNS.map((name) => cellOf(limit[name])),
        cellOf(limit.forecast?.reached_at ?? null),
        cellOf(limit.forecast?.amount_at_reset ?? null),
      ]),
    )
    .join('');

function cellOf(value: unknown): CsvCell {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}
