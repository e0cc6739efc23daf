import type { ReportSource } from '../../platform/database/report-source.js';
import { sqlFile } from '../../platform/database/sql-file.js';
import type { CostFilter } from './cost-query.js';

const KEYS = sqlFile(import.meta.url, './keys-of-filter.sql');

/** Conditions on rows of `cost_daily`. All must hold. */
export interface RowFilter extends Pick<CostFilter, 'model' | 'endpoint' | 'provider'> {
  /** Null for all keys. */
  readonly keys: readonly string[] | null;
}

/** Finds the keys of the team and of the tag. A key without a row in `api_keys` can have costs too, so its ID is not looked up. */
export async function rowFilterOf(reader: Pick<ReportSource, 'query'>, filter: CostFilter): Promise<RowFilter> {
  const { key, team, tag, ...rest } = filter;
  if (team === undefined && tag === undefined) return { ...rest, keys: key === undefined ? null : [key] };
  const rows = await reader.query<{ id: string }[]>(KEYS, [key ?? null, team ?? null, tag ?? null]);
  return { ...rest, keys: rows.map(({ id }) => id) };
}

/** The first two parameters of statements that read costs. The keys can be many, so the JSON of the other conditions omits them. */
export const filterValues = ({ keys, ...rest }: RowFilter): readonly [RowFilter['keys'], string] => [
  keys,
  JSON.stringify(rest),
];
