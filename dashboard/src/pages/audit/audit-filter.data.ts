import { AUDIT_ACTION_LABELS } from '../../api/audit-actions.data';
import type { ActorType } from './audit-types';

export const ACTORS: Readonly<Record<ActorType, string>> = {
  operator: 'Operators',
  admin_key: 'Admin key',
  system: 'Gateway or command line',
};

const GROUPS = [
  { group: 'Keys', begins: ['api_key.'] },
  { group: 'Teams and limits', begins: ['team.', 'limit.'] },
  { group: 'Models and caches', begins: ['model_policy.', 'model.', 'cache.'] },
  { group: 'Upstreams', begins: ['upstream.', 'upstreams.'] },
  { group: 'Prices and costs', begins: ['price.', 'costs.'] },
  { group: 'Webhooks and jobs', begins: ['webhook.', 'job.'] },
  { group: 'Lost changes', begins: ['lost_change.'] },
  { group: 'Operators and sessions', begins: ['operator.', 'admin.'] },
] as const;

export const ACTION_GROUPS = GROUPS.map(({ group, begins }) => ({
  group,
  items: Object.entries(AUDIT_ACTION_LABELS)
    .filter(([value]) => begins.some((begin) => value.startsWith(begin)))
    .map(([value, label]) => ({ value, label })),
}));
