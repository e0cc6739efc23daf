import { fieldChanges, type FieldChanges } from '../../audit/audit-log.js';
import { invalidInput } from '../../platform/errors/error-factories.js';
import type { CallerSession } from '../../platform/request-context/caller-session.js';

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

/** In ascending order. Each role includes the earlier ones (D33). */
export const ROLES = ['viewer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function allows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Returns whether a change removes an active owner. The last one must stay (D17). `after` is null for a deletion. */
export const removesActiveOwner = (before: OperatorFields, after: OperatorFields | null): boolean =>
  isActiveOwner(before) && !(after !== null && isActiveOwner(after));

const isActiveOwner = ({ role, disabled }: OperatorFields): boolean => role === 'owner' && !disabled;

/** Returns the operator whose sessions the caller can see and end (D17). Owners and the admin key get null, which means all. */
export function visibleSessionsOf(caller: CallerSession | null): string | null {
  return caller === null || caller.operator.role === 'owner' ? null : caller.operator.id;
}

/** Accepts surrounding whitespace, which is removed later. */
export const EMAIL = /^\s*[^\s@]{1,64}@[^\s@]{1,189}\s*$/;
export const NAME_LENGTH_MAX = 255;
/** Counts characters, not bytes. The maximum limits the cost of a hash. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

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

export function checkedPassword(password: string, param: 'password' | 'new_password'): string {
  const { length } = Array.from(password);
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return password;
  throw invalidInput(param, `${min} to ${max} characters`);
}

const AUDITED = { email: 'email', name: 'name', role: 'role', disabled: 'disabled' } as const;

export const operatorChanges = (before: OperatorFields | null, after: OperatorFields | null): FieldChanges =>
  fieldChanges(AUDITED, before, after);
