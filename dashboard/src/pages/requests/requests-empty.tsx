import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { BehindTheLastPage, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { FILTERS } from './use-request-list';

interface Props {
  readonly filtered: boolean;
  /** More than none: the page is behind the last one. */
  readonly total: number;
}

/** Why the list is empty, and what leads on. */
export function RequestsEmpty({ filtered, total }: Props) {
  if (total > 0) return <BehindTheLastPage />;
  if (filtered)
    return (
      <EmptyState title="No request of the sample matches">
        Model and endpoint have to be the same to the letter. Try fewer filters or a longer time; a refused request that
        the sample missed is found by its id alone.
        <br />
        <ClearFilters names={FILTERS} />
      </EmptyState>
    );
  return (
    <EmptyState title="The sample is empty">
      The gateway keeps a share of the requests of known keys (GW_LOG_SAMPLE_RATE, 1 % by default). None has been picked
      yet. What every key has used is on the usage page, exactly.
      <br />
      <Button component={Link} to="/usage" variant="default" mt="sm">
        Go to usage
      </Button>
    </EmptyState>
  );
}
