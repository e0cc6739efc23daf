import { useQuery } from '@tanstack/react-query';
import { responseBodyOf, api } from '../../api/client';
import { useHasRole, useOperator } from '../../session/use-session';
import { useTeamChoice } from '../../parts/team-queries';
import { metadataText, nameIn } from './audit-entry.rules';
import type { AuditEntry } from './audit-types';

/** Names are read in one request. Further targets are shown by their ID. */
const NAMED_MAX = 500;
const STALE_MS = 60_000;
const SHORT = 8;

/** The kinds of targets whose ID is a UUID. It is shortened if the name is unknown. */
const KINDS: Readonly<Record<string, string>> = {
  api_key: 'Key',
  team: 'Team',
  webhook: 'Webhook',
  operator: 'Operator',
  session: 'Session',
  price: 'Price',
  costs: 'Costs',
};

const WITHOUT_ID: Readonly<Record<string, string>> = { cache: 'all processes', upstreams: 'upstreams file' };

export interface Names {
  readonly actor: (entry: AuditEntry) => string;
  readonly target: (entry: AuditEntry) => string | null;
}

/** Only owners can read operators, so others see shortened operator IDs. */
export function useNames(entries: readonly AuditEntry[]): Names {
  const me = useOperator();
  const has = (type: string) => entries.some(({ target_type }) => target_type === type);
  const names = new Map([
    ...useOperators(),
    ...useKeys(has('api_key')),
    ...useTeams(has('team')),
    ...useWebhooks(has('webhook')),
    [me.id, me.name],
  ]);
  return {
    actor: useActorNames(),
    target: (entry) => {
      const { target_type: type, target_id: id } = entry;
      if (id === null) return WITHOUT_ID[type ?? ''] ?? null;
      if (type === 'limit') return nameIn(entry) ?? `Limit ${id}`;
      return names.get(id) ?? nameIn(entry) ?? (type in KINDS ? `${KINDS[type]} ${id.slice(0, SHORT)}` : id);
    },
  };
}

export function useActorNames(): (entry: AuditEntry) => string {
  const operatorOf = useOperatorNames();
  return (entry) => {
    if (entry.actor_type === 'admin_key') return 'Admin key';
    if (entry.actor_type === 'system') return systemOf(entry);
    return operatorOf(metadataText(entry, 'actor_id') ?? '');
  };
}

function systemOf(entry: AuditEntry): string {
  if (metadataText(entry, 'via') === 'cli') return 'Command line';
  return entry.action === 'admin.login_failed' ? 'Unknown' : 'Gateway';
}

export function useOperatorNames(): (id: string) => string {
  const me = useOperator();
  const names = new Map(useOperators());
  return (id) => (id === me.id ? 'You' : (names.get(id) ?? `Operator ${id.slice(0, SHORT)}`));
}

type NamedIds = readonly (readonly [string, string])[];

function useOperators(): NamedIds {
  const { data } = useQuery({
    queryKey: ['operators', 'names'],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/operators', { params: { query: { limit: NAMED_MAX } }, signal })),
    enabled: useHasRole('owner'),
    staleTime: STALE_MS,
  });
  return (data?.operators ?? []).map(({ id, name }) => [id, name]);
}

/** Reads the most recently updated keys, which are the most likely targets. */
function useKeys(enabled: boolean): NamedIds {
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: ({ signal }) => {
      const query = { limit: NAMED_MAX, sort_by: 'updated_at', sort_dir: 'desc' } as const;
      return responseBodyOf(api.GET('/admin/api-keys', { params: { query }, signal }));
    },
    enabled,
    staleTime: STALE_MS,
  });
  return (data?.keys ?? []).map(({ id, name }) => [id, name]);
}

function useTeams(enabled: boolean): NamedIds {
  const { data } = useTeamChoice(enabled);
  return (data ?? []).map(({ id, name }) => [id, name]);
}

function useWebhooks(enabled: boolean): NamedIds {
  const { data } = useQuery({
    queryKey: ['webhooks', 'names'],
    queryFn: ({ signal }) =>
      responseBodyOf(api.GET('/admin/webhooks', { params: { query: { limit: NAMED_MAX } }, signal })),
    enabled,
    staleTime: STALE_MS,
  });
  return (data?.webhooks ?? []).map(({ id, url }) => [id, url]);
}
