import type { CallerSession } from '../../platform/request-context/caller-session.js';

/** In ascending order. Each role includes the earlier ones (D33). */
export const ROLES = ['viewer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function allows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Returns the operator whose sessions the caller can see and end (D17). Owners and the admin key get null, which means all. */
export function visibleSessionsOf(caller: CallerSession | null): string | null {
  return caller === null || caller.operator.role === 'owner' ? null : caller.operator.id;
}
