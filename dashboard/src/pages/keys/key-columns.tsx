import { Anchor, Text, Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { compact } from '../../parts/numbers';
import { KeyMenu } from './key-menu';
import type { ApiKey } from './key-types';
import { StatusBadge, statusText } from './status-badge';
import type { AskForAction } from './use-key-actions';

interface Options {
  /** null for an operator who must not change keys. */
  readonly ask: AskForAction | null;
  readonly costs: readonly Column<ApiKey>[];
  readonly teamOf: (id: string) => string;
}

export function keyColumns({ ask, costs, teamOf }: Options): readonly Column<ApiKey>[] {
  const menu: Column<ApiKey> = { header: 'Actions', cell: (key) => <KeyMenu of={key} ask={ask!} />, align: 'right' };
  return [...COLUMNS, ...teamColumns(teamOf), ...costs, ...TIMES, ...(ask === null ? [] : [menu])];
}

const COLUMNS: readonly Column<ApiKey>[] = [
  { header: 'Name', sort: 'name', cell: (key) => <Name {...key} />, csv: ({ name }) => name },
  { header: 'Status', cell: (key) => <StatusBadge {...key} />, csv: statusText },
  { header: 'Limits', cell: (key) => <Limits {...key} />, csv: limitsText },
  {
    header: 'Models',
    cell: (key) => <Models {...key} />,
    csv: ({ allowed_models }) => allowed_models?.join(' ') ?? 'all',
  },
];

/** The table shows team and tags in one column, because it has many columns. */
const teamColumns = (teamOf: (id: string) => string): readonly Column<ApiKey>[] => {
  const nameOf = ({ team_id }: ApiKey) => (team_id === null ? null : teamOf(team_id));
  return [
    { header: 'Team', cell: (key) => <TeamAndTags of={key} team={nameOf(key)} />, csv: nameOf },
    { header: 'Tags', csv: ({ tags }) => tags.join(' ') },
  ];
};

const TIMES: readonly Column<ApiKey>[] = [
  timeColumn('Last used', 'last_used_at', 'never'),
  timeColumn('Created', 'created_at'),
  { header: 'Updated', csv: ({ updated_at }) => updated_at },
  { ...timeColumn('Expires', 'expires_at', 'never'), sort: undefined },
];

function Name({ id, name, key_hint }: ApiKey) {
  return (
    <div style={{ minWidth: 140, maxWidth: 320 }}>
      <Anchor component={Link} to={`/keys/${id}`} fw={500} size="sm" {...clamped(name)}>
        {name}
      </Anchor>
      <Text size="xs" ff="monospace">
        {key_hint}
      </Text>
    </div>
  );
}

function TeamAndTags({ of: { team_id, tags }, team }: { readonly of: ApiKey; readonly team: string | null }) {
  if (team === null && tags.length === 0) return '–';
  return (
    <div style={{ maxWidth: 140 }}>
      {team !== null && (
        <Anchor component={Link} to={`/teams/${team_id}`} size="xs" {...clamped(team)}>
          {team}
        </Anchor>
      )}
      {tags.length > 0 && (
        <Text size="xs" {...clamped(tags.join(', '))}>
          {tags.join(', ')}
        </Text>
      )}
    </div>
  );
}

function Ago({ at, never }: { readonly at: string | null; readonly never?: string }) {
  return (
    <Text size="xs" component="div" miw={72}>
      {at === null && never !== undefined ? never : <Moment at={at} ago />}
    </Text>
  );
}

const SHOWN_MAX = 12;

function Models({ allowed_models: models }: ApiKey) {
  if (models === null) return <Text size="xs">all</Text>;
  return (
    <Tooltip label={models.slice(0, SHOWN_MAX).join(', ')} events={{ hover: true, focus: true, touch: true }}>
      <Text size="xs" span tabIndex={0}>
        {models.length}
      </Text>
    </Tooltip>
  );
}

function Limits(key: ApiKey) {
  const { rpm_limit: rpm, rpd_limit: rpd, monthly_limit: monthly, monthly_token_limit: tokens } = key;
  const month = [
    ...(monthly === null ? [] : [`${compact(monthly)} req`]),
    ...(tokens === null ? [] : [`${compact(tokens)} tokens`]),
  ];
  return (
    <Text size="xs" title={limitsText(key)} miw={105}>
      {compact(rpm)}/min · {compact(rpd)}/day
      <br />
      {month.length === 0 ? 'no monthly limit' : `${month.join(' · ')}/month`}
    </Text>
  );
}

function limitsText({ rpm_limit, rpd_limit, monthly_limit, monthly_token_limit }: ApiKey): string {
  const month = monthly_limit ?? 'no limit';
  const tokens = monthly_token_limit ?? 'no limit';
  return `${rpm_limit} requests per minute, ${rpd_limit} per day, ${month} per month, ${tokens} tokens per month`;
}

function timeColumn(
  header: string,
  field: 'last_used_at' | 'created_at' | 'expires_at',
  never?: string,
): Column<ApiKey> {
  return { header, sort: field, cell: (key) => <Ago at={key[field]} never={never} />, csv: (key) => key[field] };
}
