import { BehindTheLastPage, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { FILTERS } from './use-audit-list';

interface Props {
  readonly filtered: boolean;
  /** More than none: the page is behind the last one. */
  readonly total: number;
}

/** Why the list is empty, and what leads on. */
export function AuditEmpty({ filtered, total }: Props) {
  if (total > 0) return <BehindTheLastPage />;
  if (!filtered) return <EmptyState title="Nothing has been changed yet">Whatever is changed is told here.</EmptyState>;
  return (
    <EmptyState title="No entry matches">
      The target has to be the whole id of a key, webhook or operator, or the whole name of a model. Try fewer filters
      or a longer time.
      <br />
      <ClearFilters names={FILTERS} />
    </EmptyState>
  );
}
