import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { PageOutOfRange, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { useHasRole } from '../../session/use-session';
import { FILTERS } from './use-key-list';

interface Props {
  readonly filtered: boolean;
  readonly total: number;
}

export function KeysEmpty({ filtered, total }: Props) {
  const mayCreate = useHasRole('admin');
  if (total > 0) return <PageOutOfRange />;
  if (filtered)
    return (
      <EmptyState title="No matching keys">
        Try another part of the name or ID, or remove filters.
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="No keys yet">
      Clients need a key to call the gateway. Each key has its own limits and models.
      <br />
      {mayCreate ? (
        <Button component={Link} to="/keys/new" mt="sm">
          Create key
        </Button>
      ) : (
        'Ask an admin to create a key.'
      )}
    </EmptyState>
  );
}
