import { Button } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state';
import { useSearchState } from '../../parts/use-search-state';
import { FILTERS } from './use-model-list';

interface Props {
  readonly filtered: boolean;
  /** More than none: the page is behind the last one. */
  readonly total: number;
  /** Blocks what was searched for; null for those who may only look. */
  readonly block: ((model: string) => void) | null;
}

/** Why the list is empty, and what leads on. */
export function ModelsEmpty({ filtered, total, block }: Props) {
  const { get, set } = useSearchState();
  const search = get('search');
  if (total > 0)
    return (
      <EmptyState title="Nothing on this page">
        <Button variant="default" mt="sm" onClick={() => set({ page: null })}>
          Go to the first page
        </Button>
      </EmptyState>
    );
  if (!filtered)
    return (
      <EmptyState title="The provider’s list has not been read yet">
        The gateway asks for it in the background. If this lasts, check that the provider can be reached, and refresh
        the catalog.
      </EmptyState>
    );
  return (
    <EmptyState title="No model matches">
      Neither the provider’s list nor the policy has one. Try another part of the id, or fewer filters.
      <br />
      <Button
        variant="default"
        mt="sm"
        mr="xs"
        onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, null])))}
      >
        Clear the filters
      </Button>
      {block !== null && search !== null && (
        <Button variant="default" mt="sm" onClick={() => block(search)}>
          Block “{search}” by id
        </Button>
      )}
    </EmptyState>
  );
}
