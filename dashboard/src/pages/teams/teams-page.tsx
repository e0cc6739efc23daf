import { Button } from '@mantine/core';
import { CollapsibleFilters } from '../../parts/collapsible-filters';
import { DataTable } from '../../parts/data-table';
import { ClearFilters, PageOutOfRange } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { SearchField } from '../../parts/search-field';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { costColumns, useListedCosts } from '../costs/listed-costs';
import { PAGE_SIZE, useTeams } from './team-calls';
import { teamColumns } from './team-columns';
import { useTeamDialogs } from './use-team-dialogs';

const FILTERS = ['name', 'tag'] as const;
const NAME_MAX = 255;
const TAG_MAX = 64;

export function TeamsPage() {
  const { page, get } = useSearchState();
  const teams = useTeams({ page, name: get('name'), tag: get('tag') });
  const costs = useListedCosts('team');
  const { ask, dialogs } = useTeamDialogs();
  const asked = useHasRole('admin') ? ask : null;
  const total = teams.data?.total ?? 0;
  return (
    <Page
      title="Teams"
      actions={asked !== null && <Button onClick={() => asked({ kind: 'create' })}>Create team</Button>}
    >
      <CollapsibleFilters label="Filter teams" names={FILTERS}>
        <SearchField name="name" placeholder="Name" maxLength={NAME_MAX} basis={200} />
        <SearchField name="tag" label="Tag" placeholder="Exact tag" maxLength={TAG_MAX} basis={120} />
      </CollapsibleFilters>
      <DataTable
        label="Teams"
        columns={teamColumns(
          asked,
          costColumns(costs, ({ id }) => id),
        )}
        rows={teams.data?.teams}
        rowId={({ id }) => id}
        reading={teams}
        empty={<TeamsEmpty total={total} mayCreate={asked !== null} />}
        paging={{ total, pageSize: PAGE_SIZE }}
      />
      {dialogs}
    </Page>
  );
}

interface EmptyProps {
  readonly total: number;
  readonly mayCreate: boolean;
}

function TeamsEmpty({ total, mayCreate }: EmptyProps) {
  const { get } = useSearchState();
  if (total > 0) return <PageOutOfRange />;
  if (FILTERS.some((name) => get(name) !== null))
    return (
      <EmptyState title="No matching teams">
        Try another part of the name, or remove filters.
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="No teams yet">
      A team owns keys, and can have limits that all of its keys share.{' '}
      {mayCreate ? 'Create a team, then choose it on the page of a key.' : 'Ask an admin to create a team.'}
    </EmptyState>
  );
}
