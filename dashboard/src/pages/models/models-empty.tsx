import { Button } from '@mantine/core';
import { BehindTheLastPage, ClearFilters } from '../../parts/empty-list';
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
  const { get } = useSearchState();
  const search = get('search');
  if (total > 0) return <BehindTheLastPage />;
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
      <ClearFilters names={FILTERS} />
      {block !== null && search !== null && (
        <Button variant="default" mt="sm" ml="xs" onClick={() => block(search)}>
          Block “{search}” by id
        </Button>
      )}
    </EmptyState>
  );
}
