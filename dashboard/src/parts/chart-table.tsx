import { ScrollArea, Table, Text } from '@mantine/core';
import type { ChartPoint, ChartSeries } from './chart-series';
import { count } from './numbers';

interface Props {
  readonly title: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly format?: (value: number) => string;
  readonly height: number;
}

export function ChartTable({ title, points, series, format = count, height }: Props) {
  return (
    <ScrollArea.Autosize
      mah={height}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': `${title}, as a table` }}
    >
      <Table stickyHeader verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Date</Table.Th>
            {series.map(({ name, label }) => (
              <Table.Th key={name} ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points.toReversed().map(({ title: when, values, note }) => (
            <Table.Tr key={when}>
              <Table.Td>
                {when}
                {note !== undefined && <Text size="xs">{note}</Text>}
              </Table.Td>
              {series.map(({ name }) => (
                <Table.Td key={name} ta="right">
                  {format(values[name] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
