const [MIN, MAX] = [12, 200];

/** How long a password is (D19). */
export const PASSWORD_LENGTH = `${MIN} to ${MAX} characters`;

/** Why this cannot be a password; null: it can. Characters count, not bytes, as the gateway counts them. */
export function passwordTrouble(password: string): string | null {
  const { length } = Array.from(password);
  return length >= MIN && length <= MAX ? null : `A password has ${PASSWORD_LENGTH}.`;
}
