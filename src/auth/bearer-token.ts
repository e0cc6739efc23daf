/** A credential is `malformed` if the Authorization header has no bearer token. */
export type Credential =
  { readonly kind: 'missing' | 'malformed' } | { readonly kind: 'token'; readonly token: string };

const MISSING: Credential = { kind: 'missing' };
const MALFORMED: Credential = { kind: 'malformed' };
const BEARER = /^bearer[ \t]+(\S+)$/i;

/** Parses `Bearer` (ignoring case) and one token. An empty header counts as missing (D2). */
export function bearerOf(authorization: string | undefined): Credential {
  const text = authorization?.trim() ?? '';
  if (text === '') return MISSING;
  const token = BEARER.exec(text)?.[1];
  return token === undefined ? MALFORMED : { kind: 'token', token };
}

/** Reads the whole `x-api-key` header, which Anthropic's SDKs send, as the token. */
export function bareKeyOf(header: string | undefined): Credential {
  const token = header?.trim() ?? '';
  return token === '' ? MISSING : { kind: 'token', token };
}
