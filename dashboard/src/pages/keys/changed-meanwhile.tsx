import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { FIELD_LABELS, fieldText } from './field-text';
import type { ApiKey } from './key-types';
import { newKeyOf, type KeyField, type KeyValues } from './key-values.rules';

interface Props {
  readonly current: ApiKey;
  readonly fields: readonly KeyField[];
  readonly mine: KeyValues;
  /** @param take true: the current values; false: one's own stay in the form */
  readonly settle: (take: boolean) => void;
}

/** Somebody else has changed the same fields: what they are now, and what was entered here. */
export function ChangedMeanwhile({ current, fields, mine, settle }: Props) {
  const entered = newKeyOf(mine);
  return (
    <Alert color="orange" variant="outline" role="alert" title="Somebody else has changed this key meanwhile">
      <Stack gap="sm">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Now</Table.Th>
              <Table.Th>Yours</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Td>{FIELD_LABELS[field]}</Table.Td>
                <Table.Td>{fieldText(field, current[field])}</Table.Td>
                <Table.Td>{fieldText(field, entered[field])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="sm">Nothing is saved yet.</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => settle(true)}>
            Take what is there now
          </Button>
          <Button size="xs" variant="default" onClick={() => settle(false)}>
            Keep mine, to be saved over it
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
