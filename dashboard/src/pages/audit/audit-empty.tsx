import { Button } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state';
import { useSearchState } from '../../parts/use-search-state';
import { FILTERS } from './use-audit-list';

interface Props {
  readonly filtered: boolean;
  /** More than none: the page is behind the last one. */
  readonly total: number;
}

/** Why the list is empty, and what leads on. */
export function AuditEmpty({ filtered, total }: Props) {
  const { set } = useSearchState();
  if (total > 0)
    return (
      <EmptyState title="Nothing on this page">
        <Button variant="default" mt="sm" onClick={() => set({ page: null })}>
          Go to the first page
        </Button>
      </EmptyState>
    );
  if (!filtered) return <EmptyState title="Nothing has been changed yet">Whatever is changed is told here.</EmptyState>;
  return (
    <EmptyState title="No entry matches">
      The target has to be the whole id of a key, webhook or operator, or the whole name of a model. Try fewer filters
      or a longer time.
      <br />
      <Button variant="default" mt="sm" onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, null])))}>
        Clear the filters
      </Button>
    </EmptyState>
  );
}
