import { SESSION_MS } from '../operators/session.js';
import type { RouteSpec } from '../routes/route-spec.js';

const COOKIE_NAME = 'gw_admin_session';
/** The lifetime of a session after its last extension, so the cookie never expires first. */
const MAX_AGE_SECONDS = SESSION_MS / 1000;
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** Characters that RFC 6265 allows. 200 is longer than any token. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,200}$/;

/** Two session cookies with different values are rejected, because a page on a sibling domain could have set one of them. */
export function sessionTokenOf(cookies: string | undefined): string | null {
  if (cookies === undefined) return null;
  let token: string | null = null;
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (at === -1 || pair.slice(0, at).trim() !== COOKIE_NAME) continue;
    const value = pair.slice(at + 1).trim();
    if (token !== null && token !== value) return null;
    token = value;
  }
  return token !== null && VALUE.test(token) ? token : null;
}

export const renewsCookie = (extended: boolean, route: RouteSpec | null): boolean =>
  extended || route?.kind === 'dashboard';

export const cookieWith = (token: string): string =>
  `${COOKIE_NAME}=${token}; ${ATTRIBUTES}; Max-Age=${MAX_AGE_SECONDS}`;

export const NO_COOKIE = `${COOKIE_NAME}=; ${ATTRIBUTES}; Max-Age=0`;
