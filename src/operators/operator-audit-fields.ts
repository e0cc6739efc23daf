import { fieldChanges, type FieldChanges } from '../audit/audit-log.js';
import type { Operator } from './operator.js';

export type OperatorFields = Pick<Operator, 'id' | 'email' | 'name' | 'role' | 'disabled'>;

/** What an audit row tells of. */
const FIELDS = { email: 'email', name: 'name', role: 'role', disabled: 'disabled' } as const;

/** @param before null: it was not there @param after null: it is gone */
export const operatorChanges = (before: OperatorFields | null, after: OperatorFields | null): FieldChanges =>
  fieldChanges(FIELDS, before, after);
