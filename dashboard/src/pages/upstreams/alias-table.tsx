import { Anchor, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { Upstream } from './upstream-types';

export function AliasTable({ aliases }: Pick<Upstream, 'aliases'>) {
  const rows = Object.entries(aliases);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        Aliases
      </Title>
      {rows.length === 0 ? (
        <Text size="sm">This upstream has no aliases.</Text>
      ) : (
        <Paper maw={760}>
          <Rows rows={rows} />
        </Paper>
      )}
    </Stack>
  );
}

function Rows({ rows }: { readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <Table withTableBorder layout="fixed" aria-label="Aliases">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name that clients send</Table.Th>
          <Table.Th>Model that is sent to the upstream</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody style={{ overflowWrap: 'anywhere' }}>
        {rows.map(([alias, model]) => (
          <Table.Tr key={alias}>
            <Table.Td>{alias}</Table.Td>
            <Table.Td>
              <Anchor component={Link} to={`/models?search=${encodeURIComponent(model)}`} size="sm">
                {model}
              </Anchor>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
