import { AUDIT_ACTION_LABELS } from '../../api/audit-actions.data';
import type { LostChange } from './lost-change-calls';

export const changeText = ({ action }: LostChange): string =>
  (AUDIT_ACTION_LABELS as Readonly<Record<string, string>>)[action] ?? action;

export const targetText = ({ target_name: name, target_id: id, target_type: type }: LostChange): string =>
  name ?? id ?? type;
