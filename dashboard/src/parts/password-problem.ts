const [MIN, MAX] = [12, 200];

export const PASSWORD_LENGTH = `${MIN} to ${MAX} characters`;

/** Returns the problem with a password, or null. It counts code points, as the gateway does. */
export function passwordProblem(password: string): string | null {
  const { length } = Array.from(password);
  return length >= MIN && length <= MAX ? null : `The password must have ${PASSWORD_LENGTH}.`;
}
