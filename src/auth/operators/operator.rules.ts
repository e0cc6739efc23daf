import { fieldChanges, type FieldChanges } from '../../audit/audit-log.js';
import { invalidInput } from '../../platform/errors/error-factories.js';
import type { Role } from './role.rules.js';

export interface Operator {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
}
export type OperatorFields = Pick<Operator, 'id' | 'email' | 'name' | 'role' | 'disabled'>;

/** Returns whether a change removes an active owner. The last one must stay (D17). `after` is null for a deletion. */
export const removesActiveOwner = (before: OperatorFields, after: OperatorFields | null): boolean =>
  isActiveOwner(before) && !(after !== null && isActiveOwner(after));

const isActiveOwner = ({ role, disabled }: OperatorFields): boolean => role === 'owner' && !disabled;

/** Accepts surrounding whitespace, which is removed later. */
export const EMAIL = /^\s*[^\s@]{1,64}@[^\s@]{1,189}\s*$/;
export const NAME_LENGTH_MAX = 255;

/** Emails are unique by this key, regardless of case and Unicode normalization. */
export function emailKeyOf(email: string): string {
  return email.trim().toWellFormed().normalize('NFC').toLowerCase();
}

export function checkedEmail(email: string): string {
  if (!EMAIL.test(email) || email.includes('\0')) {
    throw invalidInput('email', 'an email address');
  }
  return email.trim().toWellFormed();
}

export function checkedName(name: string): string {
  const { length } = Array.from(name);
  if (length < 1 || length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw invalidInput('name', `1 to ${NAME_LENGTH_MAX} characters`);
  }
  return name.toWellFormed();
}

const AUDITED = { email: 'email', name: 'name', role: 'role', disabled: 'disabled' } as const;

export const operatorChanges = (before: OperatorFields | null, after: OperatorFields | null): FieldChanges =>
  fieldChanges(AUDITED, before, after);
