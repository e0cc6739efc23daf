import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { FILTERS } from './use-request-list';

interface Props {
  readonly filtered: boolean;
  readonly sampleRate: number | undefined;
}

export function RequestsEmpty({ filtered, sampleRate }: Props) {
  if (filtered)
    return (
      <EmptyState title="No matching requests">
        Names must match exactly. Remove filters or choose a longer period.{' '}
        {sampleRate !== 1 && 'Successful requests are kept only if they are in the sample.'}
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="No requests yet">
      Rejected and failed requests, the first requests of each new key, and a sample of the others appear here within a
      second. The usage page shows the exact usage of every key.
      <br />
      <Button component={Link} to="/usage" variant="default" mt="sm">
        View usage
      </Button>
    </EmptyState>
  );
}
