import { Anchor, Stack, Text } from '@mantine/core';
import { clamped } from '../../parts/clamped';
import type { Column } from '../../parts/data-table';
import { Moment } from '../../parts/moment';
import { AuditChanges, changesText } from './audit-changes';
import { actionText, metadataText } from './audit-entry.rules';
import { AuditTarget } from './audit-target';
import type { AuditEntry } from './audit-types';
import type { Names } from './use-names';

export const auditColumns = (names: Names, open: (id: string) => void): readonly Column<AuditEntry>[] => [
  { header: 'Time', cell: (entry) => <Written of={entry} open={open} />, csv: ({ created_at }) => created_at },
  { header: 'Action', cell: Action, csv: ({ action }) => action },
  { header: 'Actor', cell: (entry) => <Actor name={names.actor(entry)} />, csv: names.actor },
  {
    header: 'Target',
    cell: (entry) => <AuditTarget of={entry} name={names.target(entry)} />,
    csv: ({ target_id }) => target_id,
  },
  { header: 'Changes', wide: true, cell: (entry) => <AuditChanges of={entry} />, csv: changesText },
  { header: 'Request ID', csv: (entry) => metadataText(entry, 'request_id') },
];

export const Actor = ({ name }: { readonly name: string }) => (
  <Text size="sm" miw={90} maw={200} {...clamped(name)}>
    {name}
  </Text>
);

interface WrittenProps {
  readonly of: AuditEntry;
  readonly open: (id: string) => void;
}

function Written({ of: entry, open }: WrittenProps) {
  return (
    <Stack gap={0} align="start" style={{ whiteSpace: 'nowrap' }}>
      <Moment at={entry.created_at} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        aria-label={`Details of ${actionText(entry)}, ${entry.id}`}
        onClick={() => open(entry.id)}
      >
        Details
      </Anchor>
    </Stack>
  );
}

function Action(entry: AuditEntry) {
  return (
    <div style={{ minWidth: 120 }}>
      <Text size="sm" fw={500}>
        {actionText(entry)}
      </Text>
    </div>
  );
}
