import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table';
import { ClearFilters, PageOutOfRange } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { useHasRole } from '../../session/use-session';
import { PAGE_SIZE } from './limit-calls';
import { limitColumns } from './limit-columns';
import { LimitsFilters } from './limits-filters';
import { useLimitDialogs } from './use-limit-dialogs';
import { csvQuery, FILTERS, useLimitList } from './use-limit-list';
import { useTargetNames } from './use-target-names';

/** Shows all limits with their gauges. By default, the limits that run out first come first. */
export function BudgetsPage() {
  const mayChange = useHasRole('admin');
  const { limits, filters, filtered } = useLimitList();
  const names = useTargetNames(limits.data?.limits ?? []);
  const { ask, dialogs } = useLimitDialogs();
  const total = limits.data?.total ?? 0;
  return (
    <Page
      title="Budgets"
      actions={
        <>
          <Button component="a" variant="default" href={`/admin/limits?${csvQuery(filters)}`} download>
            Download CSV
          </Button>
          {mayChange && (
            <Button component={Link} to="/budgets/new">
              Create limit
            </Button>
          )}
        </>
      }
    >
      <LimitsFilters />
      <DataTable
        label="Limits"
        columns={limitColumns(names, mayChange ? ask : null)}
        rows={limits.data?.limits}
        rowId={({ id }) => String(id)}
        reading={limits}
        empty={<LimitsEmpty filtered={filtered} total={total} />}
        paging={{ total, pageSize: PAGE_SIZE }}
      />
      {dialogs}
    </Page>
  );
}

interface EmptyProps {
  readonly filtered: boolean;
  readonly total: number;
}

function LimitsEmpty({ filtered, total }: EmptyProps) {
  const mayCreate = useHasRole('admin');
  if (total > 0) return <PageOutOfRange />;
  if (filtered)
    return (
      <EmptyState title="No matching limits">
        Remove filters to see other limits.
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="No limits yet">
      A limit caps the requests, tokens or cost of the account, a team, a key or a tag. The page of each key shows its
      own limits.
      <br />
      {mayCreate ? (
        <Button component={Link} to="/budgets/new" mt="sm">
          Create limit
        </Button>
      ) : (
        'Ask an admin to create a limit.'
      )}
    </EmptyState>
  );
}
