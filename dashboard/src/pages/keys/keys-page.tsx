import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table';
import { Page } from '../../parts/page';
import { useHasRole } from '../../session/use-session';
import { costColumns, useListedCosts } from '../costs/listed-costs';
import { useTeamNames } from '../../parts/team-queries';
import { keyColumns } from './key-columns';
import { KeysEmpty } from './keys-empty';
import { KeysFilters } from './keys-filters';
import { useKeyActions } from './use-key-actions';
import { useKeyList } from './use-key-list';
import { useSelection } from './use-selection';
import { BulkBar } from './bulk-bar';

export function KeysPage() {
  const mayChange = useHasRole('admin');
  const { keys, pageSize, filtered } = useKeyList();
  const { ask, dialogs } = useKeyActions();
  const costs = useListedCosts('key');
  const teamOf = useTeamNames();
  const selection = useSelection(keys.data?.keys);
  return (
    <Page
      title="Keys"
      actions={
        mayChange && (
          <Button component={Link} to="/keys/new">
            Create key
          </Button>
        )
      }
    >
      <KeysFilters />
      {mayChange && <BulkBar selected={selection.selected} select={selection.change} />}
      <DataTable
        label="API keys"
        columns={keyColumns({
          ask: mayChange ? ask : null,
          costs: costColumns(costs, ({ id }) => id),
          teamOf,
        })}
        rows={keys.data?.keys}
        rowId={({ id }) => id}
        reading={keys}
        dense
        empty={<KeysEmpty filtered={filtered} total={keys.data?.total ?? 0} />}
        paging={{ total: keys.data?.total ?? 0, pageSize }}
        sorting={{ by: 'created_at', dir: 'desc' }}
        selection={mayChange ? selection : undefined}
      />
      {dialogs}
    </Page>
  );
}
