import { Group, Stack, Switch, Title } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { useSearchState } from '../../parts/use-search-state';
import { useHasRole, useOperator } from '../../session/use-session';
import { EndSession } from './end-session';
import { sessionColumns } from './session-columns';
import { PAGE_SIZE, useOperatorNames, useSessions } from './session-queries';
import type { Session } from './session-types';

const NO_NAMES: ReadonlyMap<string, string> = new Map();

export function Sessions() {
  const { id: ownId } = useOperator();
  const seesAll = useHasRole('owner');
  const { get, set, page } = useSearchState();
  const everybody = seesAll && get('who') === 'all';
  const list = useSessions(everybody, page);
  const names = useOperatorNames(everybody);
  const [ending, setEnding] = useState<Session | null>(null);
  const whose = ending === null || ending.operator_id === ownId ? null : (names?.get(ending.operator_id) ?? null);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {everybody ? 'Sessions of all operators' : 'Your sessions'}
        </Title>
        {seesAll && (
          <Switch
            label="All operators"
            checked={everybody}
            onChange={(event) => set({ who: event.currentTarget.checked ? 'all' : null })}
          />
        )}
      </Group>
      <DataTable
        label={everybody ? 'Sessions of all operators' : 'Your sessions'}
        columns={sessionColumns({ names: everybody ? (names ?? NO_NAMES) : undefined, end: setEnding })}
        rows={list.data?.sessions}
        rowId={({ id }) => id}
        reading={list}
        empty={<EmptyState title="No sessions on this page">Go to the first page to see sessions.</EmptyState>}
        paging={{ total: list.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
      {ending !== null && <EndSession session={ending} whose={whose} onClose={() => setEnding(null)} />}
    </Stack>
  );
}
