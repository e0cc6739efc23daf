import {
  Button,
  Checkbox,
  Group,
  Pagination,
  Paper,
  Skeleton,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { downloadCsv } from './csv';
import { ErrorNotice } from './error-notice';
import { StaleDataWarning, type Reading } from './stale-data-warning';
import { count } from './numbers';
import { useSearchState } from './use-search-state';

export interface Column<T> {
  readonly header: string;
  /** A column without `cell` exists only in the exported file. */
  readonly cell?: (row: T) => ReactNode;
  /** The value of `sort_by`. A column without it cannot be sorted. */
  readonly sort?: string;
  readonly align?: 'right';
  /** Hides the column on phones, where it would make rows tall. The details view must show its content. */
  readonly wide?: boolean;
  readonly csv?: (row: T) => string | number | boolean | null | undefined;
}

interface Props<T> {
  /** The accessible name, which is also the file name of an export. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[] | undefined;
  readonly rowId: (row: T) => string;
  /** The query of the rows. Omit it if the page itself shows its errors and age. */
  readonly reading?: Reading;
  readonly empty: ReactNode;
  readonly dense?: boolean;
  /** The path of a CSV file with all rows, below `/admin/`. Without it, the browser exports the rows that the table shows. */
  readonly csvPath?: string;
  readonly paging?: { readonly total: number; readonly pageSize: number; readonly capped?: boolean };
  readonly sorting?: { readonly by: string; readonly dir: 'asc' | 'desc' };
  readonly selection?: { readonly ids: ReadonlySet<string>; readonly change: (ids: ReadonlySet<string>) => void };
}

export function DataTable<T>(props: Props<T>) {
  const { label, columns, rows, reading, empty, dense = false, paging } = props;
  if (rows === undefined && reading !== undefined && reading.error !== null)
    return <ErrorNotice error={reading.error} retry={() => void reading.refetch()} />;
  const age = reading !== undefined && <StaleDataWarning reading={reading} />;
  if (rows?.length === 0)
    return (
      <Stack gap="sm">
        {age}
        <Paper withBorder>{empty}</Paper>
      </Stack>
    );
  const shown = columns.filter(({ cell }) => cell !== undefined);
  return (
    <Stack gap="sm">
      {age}
      <Paper withBorder>
        <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} aria-label={label} role="region">
          <Table
            highlightOnHover
            verticalSpacing="xs"
            horizontalSpacing={dense ? 6 : undefined}
            aria-busy={rows === undefined}
          >
            <Table.Caption style={{ captionSide: 'top' }} className="visually-hidden">
              {label}
            </Table.Caption>
            <Head {...props} columns={shown} />
            <Table.Tbody>
              {rows === undefined ? (
                <Waiting columns={shown.length} />
              ) : (
                rows.map((row) => <Row key={props.rowId(row)} row={row} {...props} columns={shown} />)
              )}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      <Group justify="space-between">
        <Group gap="sm">
          {paging !== undefined && rows !== undefined && (
            <Text size="sm" c="dimmed">
              {count(paging.total)}
              {paging.capped === true ? ' or more' : ''} in total
            </Text>
          )}
          {rows !== undefined && <Export label={label} columns={columns} rows={rows} path={props.csvPath} />}
        </Group>
        {paging !== undefined && <Pages {...paging} />}
      </Group>
    </Stack>
  );
}

function Head<T>({ columns, rows, rowId, sorting, selection }: Props<T>) {
  const { get, set } = useSearchState();
  const by = get('sort_by') ?? sorting?.by;
  const dir = get('sort_dir') ?? sorting?.dir ?? 'desc';
  const ids = (rows ?? []).map(rowId);
  const chosen = ids.filter((id) => selection?.ids.has(id));
  return (
    <Table.Thead>
      <Table.Tr>
        {selection !== undefined && (
          <Table.Th w={40}>
            <Checkbox
              aria-label="Select all on this page"
              checked={ids.length > 0 && chosen.length === ids.length}
              indeterminate={chosen.length > 0 && chosen.length < ids.length}
              onChange={(event) => selection.change(new Set(event.currentTarget.checked ? ids : []))}
            />
          </Table.Th>
        )}
        {columns.map(({ header, sort, align, wide }) => (
          <Table.Th
            key={header}
            ta={align}
            visibleFrom={wide === true ? 'sm' : undefined}
            style={{ whiteSpace: 'nowrap' }}
            aria-sort={sort !== undefined && sort === by ? (dir === 'asc' ? 'ascending' : 'descending') : undefined}
          >
            {sort === undefined ? (
              header
            ) : (
              <UnstyledButton
                fw={700}
                fz="sm"
                onClick={() => set({ sort_by: sort, sort_dir: sort === by && dir === 'desc' ? 'asc' : 'desc' })}
              >
                {header}
                {sort === by ? (dir === 'asc' ? ' ↑' : ' ↓') : ''}
              </UnstyledButton>
            )}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

function Row<T>({ row, columns, rowId, selection }: Props<T> & { row: T }) {
  const id = rowId(row);
  return (
    <Table.Tr>
      {selection !== undefined && (
        <Table.Td>
          <Checkbox
            aria-label="Select row"
            checked={selection.ids.has(id)}
            onChange={(event) => {
              const next = new Set(selection.ids);
              if (event.currentTarget.checked) next.add(id);
              else next.delete(id);
              selection.change(next);
            }}
          />
        </Table.Td>
      )}
      {columns.map(({ header, cell, align, wide }) => (
        <Table.Td key={header} ta={align} visibleFrom={wide === true ? 'sm' : undefined}>
          {cell?.(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

const ROWS_WAITING = 6;

function Waiting({ columns }: { readonly columns: number }) {
  return Array.from({ length: ROWS_WAITING }, (_, row) => (
    <Table.Tr key={row}>
      <Table.Td colSpan={columns + 1}>
        <Skeleton height={18} />
      </Table.Td>
    </Table.Tr>
  ));
}

interface ExportProps<T> extends Pick<Props<T>, 'label' | 'columns'> {
  readonly rows: readonly T[];
  readonly path: string | undefined;
}

function Export<T>({ label, columns, rows, path }: ExportProps<T>) {
  if (path !== undefined)
    return (
      <Button component="a" href={`/admin/${path}`} download size="compact-sm" variant="subtle">
        Export as CSV
      </Button>
    );
  const exported = columns.flatMap(({ header, csv }) => (csv === undefined ? [] : [{ name: header, value: csv }]));
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      onClick={() => downloadCsv(label.toLowerCase().replaceAll(' ', '-'), exported, rows)}
    >
      Export as CSV
    </Button>
  );
}

function Pages({ total, pageSize }: { readonly total: number; readonly pageSize: number }) {
  const { page, set } = useSearchState();
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  return (
    <Pagination
      size="sm"
      total={pages}
      value={page}
      onChange={(next) => set({ page: next === 1 ? null : String(next) })}
      getControlProps={(control) => ({ 'aria-label': `${control} page` })}
    />
  );
}
