import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { Page } from '../../parts/page';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole } from '../../session/use-session';
import { useOperatorNames } from '../audit/use-names';
import { DecisionDialog, type AskedDecision } from './decision-dialog';
import { PAGE_SIZE, useLostChanges } from './lost-change-calls';
import { lostChangeColumns } from './lost-change-columns';

const ACTORS: Readonly<Record<string, string>> = { admin_key: 'admin key', system: 'command line' };

export function LostChangesPage() {
  const mayDecide = useHasRole('admin');
  const { get, set, page } = useSearchState();
  const all = get('show') === 'all';
  const list = useLostChanges(!all, page);
  const operatorOf = useOperatorNames();
  const [asked, ask] = useState<AskedDecision | null>(null);
  const undecided = list.data?.changes.some(({ decision }) => decision === null) === true;
  return (
    <Page
      title="Lost changes"
      actions={
        mayDecide &&
        undecided && (
          <Group gap="xs">
            <Button variant="default" onClick={() => ask({ decision: 'discard', change: 'all' })}>
              Discard all
            </Button>
            <Button onClick={() => ask({ decision: 'apply', change: 'all' })}>Apply all</Button>
          </Group>
        )
      }
    >
      <Text size="sm" maw={760}>
        The database has lost these changes, for example in the failover to a standby that lagged behind. Revoked,
        suspended and rotated keys, and blocked models, stay that way until someone decides.
      </Text>
      <Group>
        <SegmentedControl
          aria-label="Filter lost changes"
          value={all ? 'all' : 'undecided'}
          onChange={(value) => set({ show: value === 'all' ? 'all' : null })}
          data={[
            { value: 'undecided', label: 'Without a decision' },
            { value: 'all', label: 'All' },
          ]}
        />
      </Group>
      <DataTable
        label="Lost changes"
        columns={lostChangeColumns({ ask: mayDecide ? ask : null, nameOf: (by) => ACTORS[by] ?? operatorOf(by) })}
        rows={list.data?.changes}
        rowId={({ id }) => id}
        reading={list}
        empty={
          <EmptyState title={all ? 'No lost changes' : 'No lost changes without a decision'}>
            The gateway compares the audit log with what it remembers after each reconnect to the database.
          </EmptyState>
        }
        paging={{ total: list.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
      <DecisionDialog asked={asked} onClose={() => ask(null)} />
    </Page>
  );
}
