/** Production rejects shorter secrets. Redacting such a secret everywhere would remove ordinary words from the log. */
export const SECRET_LENGTH_MIN = 8;

/** Returns the secret parts of a setting's value: the password of a URL, and any other text as a whole. */
export function secretTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretTexts);
  if (typeof value !== 'string' || value === '') return [];
  // Other secrets can parse as a URL too, for example `name:secret`.
  if (!CREDENTIAL_URL.test(value) || !URL.canParse(value)) return [value];
  // The host and the database name are not secret, and are useful in a log.
  const { username, password, searchParams } = new URL(value);
  const inQuery = ['password', 'sslpassword']
    .flatMap((name) => searchParams.getAll(name))
    .filter((text) => text !== '');
  if (password === '') return inQuery;
  return [decoded(password), password, basicCredential(username, password), ...inQuery];
}

const CREDENTIAL_URL = /^(postgres|postgresql|http|https):\/\//i;

/** A proxy receives this form in `Proxy-Authorization`. */
const basicCredential = (username: string, password: string): string =>
  Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
