/**
 * The roles of operators, the least first (D33): each may what those before it may. What that is each route declares by
 * itself, by the least role that it asks for (`@AdminRoute`).
 */
export const ROLES = ['viewer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is `least` or more. */
export function allows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
