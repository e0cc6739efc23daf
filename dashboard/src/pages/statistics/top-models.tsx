import { Button, Popover, Table, Text } from '@mantine/core';
import type { components } from '../../api/schema';
import { count } from '../../parts/numbers';

type ModelCount = components['schemas']['ModelCountResponse'];

export function TopModels({ models }: { readonly models: readonly ModelCount[] }) {
  const [first, ...others] = models;
  if (first === undefined) return '–';
  return (
    <>
      <Text inherit miw={130} style={{ overflowWrap: 'anywhere' }}>
        {first.model} <span>({count(first.count)})</span>
      </Text>
      {others.length > 0 && (
        <Popover position="bottom-end" withArrow shadow="md" trapFocus>
          <Popover.Target>
            <Button size="compact-xs" variant="default">
              and {others.length} more
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <Table aria-label="Requested models" verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Model</Table.Th>
                  <Table.Th ta="right">Requests</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {models.map(({ model, count: requests }) => (
                  <Table.Tr key={model}>
                    <Table.Td>{model}</Table.Td>
                    <Table.Td ta="right">{count(requests)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}
