import { Code, Drawer, Stack, Table, Text, Title } from '@mantine/core';
import { FactsTable, type Fact } from '../../parts/facts-table';
import { Moment } from '../../parts/moment';
import { useLatest } from '../../parts/use-opened';
import { changesIn, factsIn, actionText, metadataText } from './audit-entry.rules';
import { AuditTarget } from './audit-target';
import type { AuditEntry } from './audit-types';
import type { Names } from './use-names';

interface Props {
  readonly id: string | null;
  readonly rows: readonly AuditEntry[] | undefined;
  readonly names: Names;
  readonly onClose: () => void;
}

export function AuditDrawer({ id, rows, names, onClose }: Props) {
  // Keeps the content during the closing animation.
  const shown = useLatest(id);
  const entry = rows?.find((row) => row.id === shown);
  return (
    <Drawer
      opened={id !== null && rows !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={entry === undefined ? 'Entry' : actionText(entry)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {entry === undefined ? (
        <Text size="sm">This entry is no longer on this page of the log.</Text>
      ) : (
        <Stack>
          <Facts of={entry} names={names} />
          <Changes of={entry} />
        </Stack>
      )}
    </Drawer>
  );
}

function Facts({ of: entry, names }: { readonly of: AuditEntry; readonly names: Names }) {
  const facts: readonly Fact[] = [
    { name: 'Time', value: <Moment at={entry.created_at} /> },
    { name: 'Action', value: <Code>{entry.action}</Code> },
    { name: 'Actor', value: names.actor(entry) },
    { name: 'Actor ID', value: <Mono text={metadataText(entry, 'actor_id')} /> },
    { name: 'Target', value: <AuditTarget of={entry} name={names.target(entry)} /> },
    { name: 'Target ID', value: <Mono text={entry.target_id} /> },
    { name: 'Request ID', value: <Mono text={metadataText(entry, 'request_id')} /> },
    { name: 'IP address', value: <Mono text={metadataText(entry, 'ip')} /> },
    ...factsIn(entry),
  ];
  return <FactsTable facts={facts} />;
}

function Changes({ of: entry }: { readonly of: AuditEntry }) {
  const changes = changesIn(entry);
  if (changes.length === 0) return <Text size="sm">This entry contains no field changes.</Text>;
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Changes
      </Title>
      <Table layout="fixed" withTableBorder>
        <Table.Thead>
          <Table.Tr>
            {['Field', 'Before', 'After'].map((header) => (
              <Table.Th key={header}>{header}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ field, label, old, now }) => (
            <Table.Tr key={field} style={{ overflowWrap: 'anywhere' }}>
              <Table.Td>{label}</Table.Td>
              <Table.Td>{old}</Table.Td>
              <Table.Td>{now}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function Mono({ text }: { readonly text: string | null }) {
  if (text === null) return 'none';
  return (
    <Text size="sm" ff="monospace" span style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}
