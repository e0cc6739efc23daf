import { Button } from '@mantine/core';
import { EmptyState } from './empty-state';
import { useSearchState } from './use-search-state';

export function PageOutOfRange() {
  const { set } = useSearchState();
  return (
    <EmptyState title="Nothing on this page">
      <Button variant="default" mt="sm" onClick={() => set({ page: null })}>
        Go to the first page
      </Button>
    </EmptyState>
  );
}

export function ClearFilters({ names }: { readonly names: readonly string[] }) {
  const { set } = useSearchState();
  return (
    <Button variant="default" mt="sm" onClick={() => set(Object.fromEntries(names.map((name) => [name, null])))}>
      Clear filters
    </Button>
  );
}
