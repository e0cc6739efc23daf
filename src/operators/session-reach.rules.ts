import type { CallerSession } from '../request-context/caller-session.js';

/**
 * Whose sessions a caller may see and end: an operator its own, an owner and the admin key everybody's (D17).
 * @param caller null: the admin key
 * @returns an operator's id; null: everybody's
 */
export function sessionReachOf(caller: CallerSession | null): string | null {
  return caller === null || caller.operator.role === 'owner' ? null : caller.operator.id;
}
