import { Tabs, Text } from '@mantine/core';
import { DataTable, type Column } from '../../parts/data-table';
import { useSearchState } from '../../parts/use-search-state';
import { DAY_COLUMNS, keyColumns, modelColumns, sortedBy } from './usage-columns';
import type { Usage, UsageFigures } from './usage-query';

const TABS = [
  { value: 'key', label: 'By key' },
  { value: 'model', label: 'By model' },
  { value: 'day', label: 'By day' },
] as const;
/** The API returns at most this many rows (D17). */
const LISTED_MAX = 500;

export function UsageTables({ usage }: { readonly usage: Usage }) {
  const { get, set } = useSearchState();
  const tab = TABS.find(({ value }) => value === get('by'))?.value ?? 'key';
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => set({ by: value === 'key' ? null : value, sort_by: null, sort_dir: null })}
    >
      <Tabs.List mb="sm">
        {TABS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="key">
        <Rows
          label="Usage by key"
          rows={usage.by_key}
          columns={keyColumns(usage.totals.requests)}
          rowId={({ key_id }) => key_id}
        />
      </Tabs.Panel>
      <Tabs.Panel value="model">
        <Rows
          label="Usage by model"
          rows={usage.by_model}
          columns={modelColumns(usage.totals.requests)}
          rowId={({ model }) => model ?? ''}
        />
      </Tabs.Panel>
      <Tabs.Panel value="day">
        <Rows label="Usage by day" rows={usage.daily} columns={DAY_COLUMNS} rowId={({ date }) => date} unsorted />
      </Tabs.Panel>
    </Tabs>
  );
}

interface RowsProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly rowId: (row: T) => string;
  /** Keeps the order of `rows` by default, instead of sorting by requests. */
  readonly unsorted?: boolean;
}

/** Sorts in the browser, because the response contains all rows. */
function Rows<T extends UsageFigures>({ label, rows, columns, rowId, unsorted = false }: RowsProps<T>) {
  const { get } = useSearchState();
  const by = get('sort_by');
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={sortedBy(rows, by, get('sort_dir') === 'asc' ? 'asc' : 'desc')}
        rowId={rowId}
        sorting={unsorted ? undefined : { by: 'requests', dir: 'desc' }}
        empty={null}
      />
      {rows.length === LISTED_MAX && (
        <Text size="sm" mt="xs">
          Only the {LISTED_MAX} rows with the most requests are listed.
        </Text>
      )}
    </>
  );
}
