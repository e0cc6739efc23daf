import type { ActorType, AuditAction } from './audit-types';

export const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'api_key.created': 'Key created',
  'api_key.updated': 'Key changed',
  'api_key.rotated': 'Key rotated',
  'api_key.revoked': 'Key revoked',
  'api_key.suspended': 'Key suspended',
  'api_key.unsuspended': 'Key unsuspended',
  'api_key.quota_reset': 'Key quota reset',
  'team.created': 'Team created',
  'team.updated': 'Team changed',
  'team.deleted': 'Team deleted',
  'limit.created': 'Limit created',
  'limit.updated': 'Limit changed',
  'limit.deleted': 'Limit deleted',
  'limit.reset': 'Limit reset',
  'limit.topped_up': 'Limit topped up',
  'limit.top_up_deleted': 'Top-up deleted',
  'model_policy.set': 'Model allowed or blocked',
  'model_policy.deleted': 'Model policy removed',
  'model.probed': 'Model probed',
  'cache.purged': 'Caches purged',
  'upstream.drained': 'Upstream drained',
  'upstream.resumed': 'Upstream resumed',
  'upstreams.loaded': 'Upstreams loaded',
  'price.created': 'Price set',
  'price.deleted': 'Price deleted',
  'costs.recomputed': 'Costs recomputed',
  'job.started': 'Job started',
  'webhook.created': 'Webhook created',
  'webhook.updated': 'Webhook changed',
  'webhook.deleted': 'Webhook deleted',
  'webhook.tested': 'Webhook tested',
  'operator.created': 'Operator created',
  'operator.updated': 'Operator changed',
  'operator.deleted': 'Operator deleted',
  'operator.password_changed': 'Password changed',
  'admin.login': 'Signed in',
  'admin.login_failed': 'Sign-in failed',
  'admin.logout': 'Signed out',
  'admin.session_revoked': 'Session ended',
};

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
  { group: 'Operators and sessions', begins: ['operator.', 'admin.'] },
] as const;

export const ACTION_GROUPS = GROUPS.map(({ group, begins }) => ({
  group,
  items: Object.entries(ACTIONS)
    .filter(([value]) => begins.some((begin) => value.startsWith(begin)))
    .map(([value, label]) => ({ value, label })),
}));
