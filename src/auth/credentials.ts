import { SESSION_MS } from '../operators/session.js';
import type { RouteSpec } from '../routes/route-spec.js';

/** What a caller shows. `malformed`: something, but no bearer token. */
export type Credential =
  { readonly kind: 'missing' | 'malformed' } | { readonly kind: 'token'; readonly token: string };

const MISSING: Credential = { kind: 'missing' };
const MALFORMED: Credential = { kind: 'malformed' };
const BEARER = /^bearer[ \t]+(\S+)$/i;

/** Reads an Authorization header: `Bearer`, in any case, and one token. An empty header counts as none (D2). */
export function bearerOf(authorization: string | undefined): Credential {
  const text = authorization?.trim() ?? '';
  if (text === '') return MISSING;
  const token = BEARER.exec(text)?.[1];
  return token === undefined ? MALFORMED : { kind: 'token', token };
}

/** Reads an x-api-key header, which holds the bare key. */
export function bareKeyOf(header: string | undefined): Credential {
  const token = header?.trim() ?? '';
  return token === '' ? MISSING : { kind: 'token', token };
}

const NAME = 'gw_admin_session';
/** A session lives as long after its last extension, so its cookie never dies before it. */
const MAX_AGE_SECONDS = SESSION_MS / 1000;
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** What a cookie's value may hold (RFC 6265), and longer than any token. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,200}$/;

/**
 * The session token in a Cookie header, or null. Two cookies of the name with different values are invalid: a page of a
 * neighbouring host could have set one of them.
 */
export function sessionTokenOf(cookies: string | undefined): string | null {
  if (cookies === undefined) return null;
  let token: string | null = null;
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== NAME) continue;
    const value = pair.slice(at + 1).trim();
    if (token !== null && token !== value) return null;
    token = value;
  }
  return token !== null && VALUE.test(token) ? token : null;
}

/** Whether an answer sends the cookie again: each of the dashboard's own, any other only where the call has extended the session. */
export const isCookieSentAgain = (extended: boolean, route: RouteSpec | null): boolean =>
  extended || route?.kind === 'dashboard';

/** Set-Cookie that gives the browser this token, or keeps it alive. */
export const cookieWith = (token: string): string => `${NAME}=${token}; ${ATTRIBUTES}; Max-Age=${MAX_AGE_SECONDS}`;

/** Set-Cookie that takes the token away. */
export const NO_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;
