import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { PageOutOfRange, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { FILTERS } from './use-request-list';

interface Props {
  readonly filtered: boolean;
  readonly total: number;
}

export function RequestsEmpty({ filtered, total }: Props) {
  if (total > 0) return <PageOutOfRange />;
  if (filtered)
    return (
      <EmptyState title="No matching requests in the sample">
        Model and endpoint must match exactly. Remove filters or choose a longer period. A rejected request outside the
        sample can be found only by its ID.
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="The sample is empty">
      The gateway keeps a sample of the requests with known keys (GW_LOG_SAMPLE_RATE, 1% by default). It contains no
      requests yet. The usage page shows the exact usage of every key.
      <br />
      <Button component={Link} to="/usage" variant="default" mt="sm">
        View usage
      </Button>
    </EmptyState>
  );
}
