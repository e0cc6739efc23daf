import { useState } from 'react';
import { DataTable } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { useOperator } from '../../session/use-session';
import { EndSession } from './end-session';
import { sessionColumns } from './session-columns';
import { PAGE_SIZE, useSessions } from './session-queries';
import type { Session } from './session-types';

interface Props {
  readonly label: string;
  /** null shows the sessions of all operators, which only owners can see. */
  readonly operatorId: string | null;
  /** The operators' names by ID. With them, the table has a column for the operator. */
  readonly names?: ReadonlyMap<string, string>;
  readonly page?: number;
}

export function SessionTable({ label, operatorId, names, page = 1 }: Props) {
  const { id: ownId } = useOperator();
  const list = useSessions(operatorId, page);
  const [ending, setEnding] = useState<Session | null>(null);
  const whose = ending === null || ending.operator_id === ownId ? null : (names?.get(ending.operator_id) ?? null);
  return (
    <>
      <DataTable
        label={label}
        columns={sessionColumns({ names, end: setEnding })}
        rows={list.data?.sessions}
        rowId={({ id }) => id}
        reading={list}
        empty={<EmptyState title="No sessions">The operator is not signed in on any device.</EmptyState>}
        paging={{ total: list.data?.total ?? 0, pageSize: PAGE_SIZE }}
      />
      {ending !== null && <EndSession session={ending} whose={whose} onClose={() => setEnding(null)} />}
    </>
  );
}
