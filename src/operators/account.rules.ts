import { fieldChanges, type FieldChanges } from '../audit/audit-log.js';
import { validationError } from '../errors/catalogue.js';
import type { CallerSession } from '../request-context/caller-session.js';

/** A person who runs the gateway, without the hash of the password. */
export interface Operator {
  readonly id: string;
  /** As it was given; no two differ in letter case only. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Kept, but may not sign in. */
  readonly disabled: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
}
export type OperatorFields = Pick<Operator, 'id' | 'email' | 'name' | 'role' | 'disabled'>;

/** In ascending order: each role includes those before it (D33). Each route declares the role that it requires (`@AdminRoute`). */
export const ROLES = ['viewer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is `least` or more. */
export function allows(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

/** Whether a change removes an active owner, who must not be the last (D17). @param after null: the account is deleted */
export const losesOwner = (before: OperatorFields, after: OperatorFields | null): boolean =>
  isActiveOwner(before) && !(after !== null && isActiveOwner(after));

const isActiveOwner = ({ role, disabled }: OperatorFields): boolean => role === 'owner' && !disabled;

/**
 * Whose sessions a caller may see and end: an operator its own, an owner and the admin key everybody's (D17).
 * @param caller null: the admin key
 * @returns an operator's id; null: everybody's
 */
export function sessionReachOf(caller: CallerSession | null): string | null {
  return caller === null || caller.operator.role === 'owner' ? null : caller.operator.id;
}

/** An e-mail address, blanks around it allowed: they are taken off. 254 characters at most without them. */
export const EMAIL = /^\s*[^\s@]{1,64}@[^\s@]{1,189}\s*$/;
export const NAME_LENGTH_MAX = 255;
/** In characters, not bytes. The upper bound keeps the work of a hash small. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** What makes two e-mails one: letter case and the way in which accents are written do not count. */
export function emailKeyOf(email: string): string {
  return email.trim().toWellFormed().normalize('NFC').toLowerCase();
}

/** The e-mail as it is kept. @throws GatewayError `validation_error`, param `email` */
export function checkedEmail(email: string): string {
  if (!EMAIL.test(email) || email.includes('\0')) {
    throw validationError('email', "Invalid value for 'email': it must be an e-mail address.");
  }
  return email.trim().toWellFormed();
}

/** @throws GatewayError `validation_error`, param `name` */
export function checkedName(name: string): string {
  const { length } = Array.from(name);
  if (length < 1 || length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw validationError('name', `Invalid value for 'name': it must be 1 to ${NAME_LENGTH_MAX} characters.`);
  }
  return name.toWellFormed();
}

/** @param param the field that holds it @throws GatewayError `validation_error` */
export function checkedPassword(password: string, param: 'password' | 'new_password'): string {
  const { length } = Array.from(password);
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return password;
  throw validationError(param, `Invalid value for '${param}': it must be ${min} to ${max} characters.`);
}

const AUDITED = { email: 'email', name: 'name', role: 'role', disabled: 'disabled' } as const;

/** For the audit row. */
export const operatorChanges = (before: OperatorFields | null, after: OperatorFields | null): FieldChanges =>
  fieldChanges(AUDITED, before, after);
