import type { Operator } from './operator.js';

export type OperatorFields = Pick<Operator, 'id' | 'email' | 'name' | 'role' | 'disabled'>;

/** What an audit row tells of (D18). */
const FIELDS = ['email', 'name', 'role', 'disabled'] as const;

/** The fields that differ, old and new. @param before null: it was not there @param after null: it is gone */
export function changesOf(
  before: OperatorFields | null,
  after: OperatorFields | null,
): Record<string, { old: unknown; new: unknown }> {
  const changes = FIELDS.map(
    (field) => [field, { old: before?.[field] ?? null, new: after?.[field] ?? null }] as const,
  );
  return Object.fromEntries(changes.filter(([, change]) => change.old !== change.new));
}
