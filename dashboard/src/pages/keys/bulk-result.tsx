import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { KEY_ACTIONS } from './key-action.data';
import type { BulkAction, BulkOutcome } from './key-calls';
import type { ApiKey } from './key-types';

export interface BulkReport {
  readonly action: BulkAction;
  readonly keys: readonly ApiKey[];
  readonly outcome: BulkOutcome;
}

export function BulkResult({ action, keys, outcome, onClose }: BulkReport & { readonly onClose: () => void }) {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const { succeeded, failed } = outcome;
  return (
    <Modal opened onClose={onClose} title="Some keys failed" centered size="lg">
      <Stack>
        <Text size="sm">
          {succeeded.length} {KEY_ACTIONS[action].done}, {failed.length} failed. The failed keys are still selected.
        </Text>
        <Table.ScrollContainer minWidth={0} mah={320} type="native" tabIndex={0} role="region" aria-label="Failed keys">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Key</Table.Th>
                <Table.Th>Reason</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {failed.map(({ id, message }) => (
                <Table.Tr key={id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{names.get(id) ?? id}</Table.Td>
                  <Table.Td>{message}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {succeeded.length > 0 && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Succeeded: {succeeded.map(({ id }) => names.get(id) ?? id).join(', ')}.
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
