import { invalidInput } from '../../platform/errors/error-factories.js';

/** Counts characters, not bytes. The maximum limits the cost of a hash. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

export function checkedPassword(password: string, param: 'password' | 'new_password'): string {
  const { length } = Array.from(password);
  const { min, max } = PASSWORD_LENGTH;
  if (length >= min && length <= max) return password;
  throw invalidInput(param, `${min} to ${max} characters`);
}
