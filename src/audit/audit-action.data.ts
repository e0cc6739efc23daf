/** Values of `action` in the audit log (D18). */
export const AUDIT_ACTIONS = [
  'api_key.created',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.suspended',
  'api_key.unsuspended',
  'api_key.quota_reset',
  'model_policy.set',
  'model_policy.deleted',
  'model.probed',
  'cache.purged',
  'job.started',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.tested',
  'operator.created',
  'operator.updated',
  'operator.deleted',
  'operator.password_changed',
  'admin.login',
  'admin.login_failed',
  'admin.logout',
  'admin.session_revoked',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
