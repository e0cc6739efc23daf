import { Button } from '@mantine/core';
import { EmptyState } from './empty-state';
import { useSearchState } from './use-search-state';

/** For a page behind the last one of a list. */
export function BehindTheLastPage() {
  const { set } = useSearchState();
  return (
    <EmptyState title="Nothing on this page">
      <Button variant="default" mt="sm" onClick={() => set({ page: null })}>
        Go to the first page
      </Button>
    </EmptyState>
  );
}

/** Under the advice where filters leave nothing. */
export function ClearFilters({ names }: { readonly names: readonly string[] }) {
  const { set } = useSearchState();
  return (
    <Button variant="default" mt="sm" onClick={() => set(Object.fromEntries(names.map((name) => [name, null])))}>
      Clear the filters
    </Button>
  );
}
