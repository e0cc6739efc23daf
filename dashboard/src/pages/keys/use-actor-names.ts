import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { useMay, useOperator } from '../../session/use-session';
import { metadataText } from './audit-entry.rules';
import type { AuditEntry } from './key-types';

const OPERATORS_MAX = 500;

/** Who stands behind an entry. Only owners may read the operators: others see the beginning of the id. */
export function useActorNames(): (entry: AuditEntry) => string {
  const me = useOperator();
  const mayRead = useMay('owner');
  const { data } = useQuery({
    queryKey: ['operators', 'names'],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/admin/operators', { params: { query: { limit: OPERATORS_MAX } }, signal })),
    enabled: mayRead,
  });
  const names = new Map((data?.operators ?? []).map(({ id, name }) => [id, name]));
  return (entry) => {
    if (entry.actor_type === 'admin_key') return 'Admin key';
    if (entry.actor_type === 'system') return 'The gateway';
    const id = metadataText(entry, 'actor_id') ?? '';
    return id === me.id ? 'You' : (names.get(id) ?? `Operator ${id.slice(0, 8)}`);
  };
}
