import type { ActiveLimit } from '../../src/quota/limits/limit.js';

/** By default, a monthly limit of 10 requests of the account. */
export const activeLimit = (changes: Partial<ActiveLimit> = {}): ActiveLimit => ({
  id: 1,
  name: null,
  scope: 'account',
  scopeId: null,
  scopeTag: null,
  measure: 'requests',
  period: 'month',
  zone: 'UTC',
  models: null,
  mode: 'enforce',
  reserve: 'typical',
  weights: null,
  amount: 10n,
  startsAtMs: null,
  endsAtMs: null,
  createdAtMs: 0,
  version: 1,
  ...changes,
});
