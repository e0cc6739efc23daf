import { Paper, Stack, Table, Title } from '@mantine/core';
import { useOperator } from '../../session/use-session';
import { ROLES } from '../operators/roles.data';

export function Profile() {
  const { name, email, role } = useOperator();
  const known = ROLES.find((one) => one.role === role);
  const rows = [
    ['Name', name],
    ['Email', email],
    ['Role', known === undefined ? role : `${known.label}. ${known.may}`],
  ] as const;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Profile
        </Title>
        <Table variant="vertical" aria-label="Profile" withRowBorders={false}>
          <Table.Tbody>
            {rows.map(([label, value]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" w={100} bg="transparent">
                  {label}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Stack>
    </Paper>
  );
}
