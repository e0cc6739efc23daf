import { Anchor, Box, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import { DataTable, type Column } from '../../parts/data-table';
import { PageOutOfRange } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { Moment } from '../../parts/moment';
import { TagBadges } from '../../parts/tag-badges';
import { useSearchState } from '../../parts/use-search-state';
import { costColumns, useListedCosts } from '../costs/listed-costs';
import { useKeys } from '../keys/key-queries';
import type { ApiKey } from '../keys/key-types';
import { StatusBadge, statusText } from '../keys/status-badge';
import { PAGE_SIZE } from './team-calls';
import type { Team } from './team-types';

export function TeamKeys({ team }: { readonly team: Team }) {
  const { page } = useSearchState();
  const query = { team_id: team.id, sort_by: 'name', sort_dir: 'asc' } as const;
  const keys = useKeys({ ...query, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE });
  const costs = useListedCosts('key');
  const total = keys.data?.total ?? 0;
  return (
    <DataTable
      label="Keys of the team"
      columns={[...COLUMNS, ...costColumns<ApiKey>(costs, ({ id }) => id)]}
      rows={keys.data?.keys}
      rowId={({ id }) => id}
      reading={keys}
      empty={total > 0 ? <PageOutOfRange /> : <NoKeys />}
      paging={{ total, pageSize: PAGE_SIZE }}
    />
  );
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    header: 'Name',
    cell: ({ id, name, key_hint }) => (
      <div style={{ minWidth: 140, maxWidth: 320 }}>
        <Anchor component={Link} to={`/keys/${id}`} size="sm" fw={500} {...clamped(name)}>
          {name}
        </Anchor>
        <Text size="xs" ff="monospace">
          {key_hint}
        </Text>
      </div>
    ),
    csv: ({ name }) => name,
  },
  { header: 'Status', cell: (key) => <StatusBadge {...key} />, csv: statusText },
  {
    header: 'Tags',
    cell: ({ tags }) => (
      <Box miw={110} maw={300}>
        <TagBadges tags={tags} />
      </Box>
    ),
    csv: ({ tags }) => tags.join(' '),
  },
  {
    header: 'Last used',
    cell: ({ last_used_at }) => <Moment at={last_used_at} never="never" ago />,
    csv: ({ last_used_at }) => last_used_at,
  },
];

const NoKeys = () => (
  <EmptyState title="No keys in this team">
    To add a key, open its page, select “Edit”, and choose this team.
  </EmptyState>
);
