import { Button } from '@mantine/core';
import { PageOutOfRange, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { useSearchState } from '../../parts/use-search-state';
import { FILTERS } from './use-model-list';

interface Props {
  readonly filtered: boolean;
  readonly total: number;
  readonly block: ((model: string) => void) | null;
}

export function ModelsEmpty({ filtered, total, block }: Props) {
  const { get } = useSearchState();
  const search = get('search');
  if (total > 0) return <PageOutOfRange />;
  if (!filtered)
    return (
      <EmptyState title="The model catalog is not loaded yet">
        The gateway fetches it from the provider in the background. If this takes a long time, check that the provider
        is reachable and refresh the catalog.
      </EmptyState>
    );
  return (
    <EmptyState title="No matching models">
      Neither the catalog nor the policy contains a match. Try another part of the ID, or remove filters.
      <br />
      <ClearFilters names={FILTERS} />
      {block !== null && search !== null && (
        <Button variant="default" mt="sm" ml="xs" onClick={() => block(search)}>
          Block “{search}” by ID
        </Button>
      )}
    </EmptyState>
  );
}
