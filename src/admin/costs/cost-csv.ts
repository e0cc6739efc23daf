import { csvLine, type CsvCell } from '../../costs/report/csv.rules.js';
import { COUNTED_KINDS } from '../../costs/usage-kinds.data.js';
import { type Dimension, dimensionOf, isByDay, type Grouping } from '../../costs/report/cost-query.js';
import type { CostGroupResponse, CostsResponse } from './costs.response.dto.js';

type Identity = 'day' | 'key_id' | 'key_name' | 'team_id' | 'team_name' | 'model' | 'endpoint' | 'provider';

const FIGURES = [
  'cost',
  'currency',
  'requests',
  'unpriced_requests',
  'estimated_requests',
  'backfilled_requests',
] as const;

/** The groups of a report as a CSV file with a header. The columns depend only on the grouping. */
export function costCsv({ groups, group_by: grouping }: Pick<CostsResponse, 'groups' | 'group_by'>): string {
  const identity = identityOf(grouping as Grouping);
  const head = csvLine([...identity, ...FIGURES, ...COUNTED_KINDS]);
  return head + groups.map((group) => csvLine(cellsOf(group, identity))).join('');
}

/** The fields that identify a group. */
export function identityOf(grouping: Grouping): Identity[] {
  const dimension = dimensionOf(grouping);
  return [...(isByDay(grouping) ? (['day'] as const) : []), ...(dimension === null ? [] : IDENTITIES[dimension])];
}

const IDENTITIES: Readonly<Record<Dimension, readonly Identity[]>> = {
  ...{ key: ['key_id', 'key_name'], team: ['team_id', 'team_name'] },
  ...{ model: ['model'], endpoint: ['endpoint'], provider: ['provider'] },
};

function cellsOf(group: CostGroupResponse, identity: readonly Identity[]): CsvCell[] {
  const counts: Readonly<Record<string, number>> = { ...group.tokens, ...group.units };
  return [
    ...identity.map((name) => group[name] ?? null),
    ...FIGURES.map((name) => group[name]),
    ...COUNTED_KINDS.map((kind) => counts[kind]!),
  ];
}
