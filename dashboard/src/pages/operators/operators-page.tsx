import { Button } from '@mantine/core';
import { ApiError } from '../../api/api-error';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { ErrorNotice } from '../../parts/error-notice';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole, useOperator } from '../../session/use-session';
import { NewOperator } from './new-operator';
import { PAGE_SIZE, useOperators } from './operator-calls';
import { operatorColumns } from './operator-columns';
import { useOperatorActions } from './use-operator-actions';

const NOT_ALLOWED = new ApiError('Only owners can manage operators. Ask an owner for changes.', {
  status: 403,
  code: 'forbidden',
});

/** Sends no request for other roles, because the gateway would reject it. */
export function OperatorsPage() {
  const may = useHasRole('owner');
  if (may) return <Operators />;
  return (
    <Page title="Operators">
      <ErrorNotice error={NOT_ALLOWED} />
    </Page>
  );
}

function Operators() {
  const { id: ownId } = useOperator();
  const { get, set, page } = useSearchState();
  const operators = useOperators(page);
  const { ask, dialogs } = useOperatorActions(ownId);
  return (
    <Page title="Operators" actions={<Button onClick={() => set({ new: '1' })}>Create operator</Button>}>
      <DataTable
        label="Operators"
        columns={operatorColumns(ownId, ask)}
        rows={operators.data?.operators}
        rowId={({ id }) => id}
        reading={operators}
        empty={<EmptyState title="No operators on this page">Go to the first page to see operators.</EmptyState>}
        paging={{ total: operators.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
      <NewOperator opened={get('new') !== null} onClose={() => set({ new: null })} />
      {dialogs}
    </Page>
  );
}
