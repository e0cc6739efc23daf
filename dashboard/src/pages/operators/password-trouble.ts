import { PASSWORD_LENGTH } from './roles.data';

/** Why this cannot be a password; null: it can. Characters count, not bytes, as the gateway counts them. */
export function passwordTrouble(password: string): string | null {
  const { length } = Array.from(password);
  const { min, max } = PASSWORD_LENGTH;
  return length >= min && length <= max ? null : `A password has ${min} to ${max} characters.`;
}
