import { Tabs, Text, Title } from '@mantine/core';
import { DataTable } from '../../parts/data-table';
import { useSearchState } from '../../parts/use-search-state';
import { GROUPS_MAX, type Costs } from './cost-calls';
import { costColumns, sortedBy } from './cost-columns';
import { COST_DIMENSIONS, type CostDimension } from './cost-dimensions.data';

interface Props {
  readonly costs: Costs;
  readonly dimension: CostDimension;
}

/** Sorts in the browser, because the response contains all rows up to a limit. */
export function CostTable({ costs, dimension }: Props) {
  const { get, set } = useSearchState();
  const { groups, total, totals, group_by } = costs;
  // The rows of the previous tab stay until those of the new tab arrive.
  const shown = COST_DIMENSIONS.find(({ value }) => value === group_by) ?? dimension;
  return (
    <section aria-labelledby="groups">
      <Title order={2} id="groups" className="visually-hidden">
        Costs by group
      </Title>
      <Tabs
        value={dimension.value}
        onChange={(value) =>
          set({ by: value === COST_DIMENSIONS[0]!.value ? null : value, sort_by: null, sort_dir: null })
        }
      >
        <Tabs.List mb="sm">
          {COST_DIMENSIONS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              By {label.toLowerCase()}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={dimension.value}>
          <DataTable
            label={`Costs by ${shown.label.toLowerCase()}`}
            columns={costColumns(shown, totals)}
            rows={sortedBy(groups, shown, get('sort_by') ?? 'cost', get('sort_dir') === 'asc' ? 'asc' : 'desc')}
            rowId={shown.idOf}
            sorting={{ by: 'cost', dir: 'desc' }}
            empty={null}
          />
          {total > groups.length && (
            <Text size="sm" mt="xs">
              Only the {GROUPS_MAX} rows with the highest costs are listed. The CSV file contains all rows.
            </Text>
          )}
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
