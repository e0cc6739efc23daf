import type { CostGroup } from './cost-calls';

export interface CostDimension {
  readonly value: 'key' | 'team' | 'model' | 'endpoint' | 'provider';
  readonly label: string;
  /** Identifies a group. The ID is empty for requests without this value. */
  readonly idOf: (group: CostGroup) => string;
  readonly nameOf: (group: CostGroup) => string;
}

export const COST_DIMENSIONS: readonly CostDimension[] = [
  {
    value: 'key',
    label: 'Key',
    idOf: ({ key_id }) => key_id ?? '',
    nameOf: ({ key_id, key_name }) => key_name ?? key_id ?? 'No key',
  },
  {
    value: 'team',
    label: 'Team',
    idOf: ({ team_id }) => team_id ?? '',
    nameOf: ({ team_id, team_name }) => team_name ?? team_id ?? 'No team',
  },
  { value: 'model', label: 'Model', idOf: ({ model }) => model ?? '', nameOf: ({ model }) => model ?? 'No model' },
  {
    value: 'endpoint',
    label: 'Endpoint',
    idOf: ({ endpoint }) => endpoint ?? '',
    nameOf: ({ endpoint }) => endpoint ?? 'Unknown endpoint',
  },
  {
    value: 'provider',
    label: 'Upstream',
    idOf: ({ provider }) => provider ?? '',
    nameOf: ({ provider }) => provider ?? 'Unknown upstream',
  },
];

/** A stack of all endpoints or upstreams is rarely useful. */
export const STACKED_DIMENSIONS = COST_DIMENSIONS.filter(({ value }) => ['key', 'team', 'model'].includes(value));

export const dimensionOf = (dimensions: readonly CostDimension[], value: string | null): CostDimension =>
  dimensions.find((dimension) => dimension.value === value) ?? dimensions[0]!;
