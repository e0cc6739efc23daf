import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { clamped } from '../../parts/clamped';
import { useHasRole } from '../../session/use-session';
import type { AuditEntry } from './audit-types';

type Subject = Pick<AuditEntry, 'action' | 'target_type' | 'target_id'>;

interface Props {
  readonly of: Subject;
  readonly name: string | null;
}

export function AuditTarget({ of: entry, name }: Props) {
  const mayReadOperators = useHasRole('owner');
  if (name === null) return '–';
  const to = pathOf(entry, mayReadOperators);
  const look = { size: 'sm', miw: 150, maw: 260, ...clamped(name) } as const;
  if (to === null) return <Text {...look}>{name}</Text>;
  return (
    <Anchor component={Link} to={to} {...look}>
      {name}
    </Anchor>
  );
}

function pathOf({ action, target_type: type, target_id: id }: Subject, mayReadOperators: boolean): string | null {
  if (type === 'upstreams') return '/upstreams';
  if (id === null) return null;
  switch (type) {
    case 'api_key':
      return `/keys/${id}`;
    case 'team':
      return action === 'team.deleted' ? null : `/teams/${id}`;
    case 'limit':
      return action === 'limit.deleted' ? null : `/budgets/${id}`;
    case 'webhook':
      return action === 'webhook.deleted' ? null : `/webhooks/${id}`;
    case 'model':
      return `/models?search=${encodeURIComponent(id)}`;
    case 'upstream':
      return `/upstreams/${id}`;
    case 'price':
      return '/costs/prices';
    case 'costs':
      return '/costs';
    case 'job':
      return '/jobs';
    case 'operator':
      return mayReadOperators ? '/operators' : null;
    default:
      return null;
  }
}
