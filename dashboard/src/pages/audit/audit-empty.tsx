import { PageOutOfRange, ClearFilters } from '../../parts/empty-list';
import { EmptyState } from '../../parts/empty-state';
import { FILTERS } from './use-audit-list';

interface Props {
  readonly filtered: boolean;
  readonly total: number;
}

export function AuditEmpty({ filtered, total }: Props) {
  if (total > 0) return <PageOutOfRange />;
  if (!filtered) return <EmptyState title="No entries yet">Every change is recorded here.</EmptyState>;
  return (
    <EmptyState title="No matching entries">
      The target must be the complete ID of a key, team, limit, webhook, operator or model. Remove filters or choose a
      longer period.
      <br />
      <ClearFilters names={FILTERS} />
    </EmptyState>
  );
}
