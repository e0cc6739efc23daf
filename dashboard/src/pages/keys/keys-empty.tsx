import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { BehindTheLastPage, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { useMay } from '../../session/use-session';
import { FILTERS } from './use-key-list';

interface Props {
  readonly filtered: boolean;
  /** More than none: the page is behind the last one. */
  readonly total: number;
}

/** Why the list is empty, and what leads on. */
export function KeysEmpty({ filtered, total }: Props) {
  const mayCreate = useMay('admin');
  if (total > 0) return <BehindTheLastPage />;
  if (filtered)
    return (
      <EmptyState title="No key matches">
        Try another part of the name or id, or fewer filters.
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="No keys yet">
      Whoever calls the gateway needs a key, with its own limits and models.
      <br />
      {mayCreate ? (
        <Button component={Link} to="/keys/new" mt="sm">
          Create a key
        </Button>
      ) : (
        'An admin can create one.'
      )}
    </EmptyState>
  );
}
