import { Stack, Text, Title } from '@mantine/core';
import { DataTable, type Column } from '../../parts/data-table';
import { EmptyState } from '../../parts/empty-state';
import { Moment } from '../../parts/moment';
import { useSearchState } from '../../parts/use-search-state';
import { Actor } from '../audit/audit-columns';
import { AuditChanges, changesText } from '../audit/audit-changes';
import { actionText, metadataText } from '../audit/audit-entry.rules';
import type { AuditEntry } from '../audit/audit-types';
import { useActorNames } from '../audit/use-names';
import { useKeyAudit } from './key-queries';

const PAGE_SIZE = 20;

export function KeyAudit({ keyId }: { readonly keyId: string }) {
  const { page } = useSearchState();
  const audit = useKeyAudit(keyId, PAGE_SIZE, (page - 1) * PAGE_SIZE);
  const actorOf = useActorNames();
  return (
    <Stack gap="sm" component="section" aria-label="Audit log">
      <Title order={2} size="h4">
        Audit log
      </Title>
      <DataTable
        label="Key audit log"
        columns={columnsOf(actorOf)}
        rows={audit.data?.logs}
        rowId={({ id }) => id}
        reading={audit}
        empty={<EmptyState title="Nothing on this page" />}
        paging={{
          total: audit.data?.total ?? 0,
          pageSize: PAGE_SIZE,
          capped: audit.data?.total_capped,
        }}
      />
    </Stack>
  );
}

const columnsOf = (actorOf: (entry: AuditEntry) => string): readonly Column<AuditEntry>[] => [
  { header: 'Time', cell: ({ created_at }) => <When at={created_at} />, csv: ({ created_at }) => created_at },
  { header: 'Action', cell: actionText, csv: ({ action }) => action },
  { header: 'Actor', cell: (entry) => <Actor name={actorOf(entry)} />, csv: actorOf },
  { header: 'Changes', cell: (entry) => <AuditChanges of={entry} />, csv: changesText },
  {
    header: 'IP address',
    cell: (entry) => (
      <Text size="xs" ff="monospace">
        {metadataText(entry, 'ip') ?? '–'}
      </Text>
    ),
    csv: (entry) => metadataText(entry, 'ip'),
  },
];

function When({ at }: { readonly at: string }) {
  return (
    <div style={{ whiteSpace: 'nowrap' }}>
      <Moment at={at} />
    </div>
  );
}
