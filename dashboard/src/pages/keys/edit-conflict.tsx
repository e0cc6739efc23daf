import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useTeamNames } from '../../parts/team-queries';
import { FIELD_LABELS, fieldText } from './field-text';
import type { ApiKey } from './key-types';
import { newKeyOf, type KeyField, type KeyValues } from './key-values.rules';

interface Props {
  readonly current: ApiKey;
  readonly fields: readonly KeyField[];
  readonly mine: KeyValues;
  /** @param take true loads the current values into the form; false keeps the operator's own */
  readonly settle: (take: boolean) => void;
}

export function EditConflict({ current, fields, mine, settle }: Props) {
  const entered = newKeyOf(mine);
  const teamOf = useTeamNames();
  const text = (field: KeyField, value: unknown) =>
    field === 'team_id' && typeof value === 'string' ? teamOf(value) : fieldText(field, value);
  return (
    <Alert color="orange" variant="outline" role="alert" title="Someone else changed this key">
      <Stack gap="sm">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Current</Table.Th>
              <Table.Th>Yours</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Td>{FIELD_LABELS[field]}</Table.Td>
                <Table.Td>{text(field, current[field])}</Table.Td>
                <Table.Td>{text(field, entered[field])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm">Your changes are not saved yet.</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => settle(true)}>
            Use current values
          </Button>
          <Button size="xs" variant="default" onClick={() => settle(false)}>
            Keep my values
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
