import type { LostChanges } from '../../src/audit/lost-changes/lost-changes.service.js';

/** For services whose database has lost nothing. */
export const NOTHING_LOST = {
  keyInsteadOf: () => undefined,
  keyIdOf: () => undefined,
  blockedModels: new Map(),
  onChange: () => undefined,
} as unknown as LostChanges;
