import type { FastifyRequest } from 'fastify';
import type { RouteSpec } from '../platform/routes/route-spec.js';
import { isLocalhost } from './csrf.js';

/** Browsers accept the prefix only over HTTPS, with `Path=/` and without `Domain`, so no sibling host can set this cookie. */
const HOST_COOKIE = '__Host-gw_admin_session';
/** For scripts, and for browsers on localhost, which can use plain HTTP only there. */
const PLAIN_COOKIE = 'gw_admin_session';
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax';
/** RFC 6265 allows no other characters. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,200}$/;

interface SessionCookie {
  readonly name: string;
  readonly token: string;
}

type SentRequest = Pick<FastifyRequest, 'headers' | 'host' | 'protocol'>;

/** Browsers behind a proxy state the protocol in `Origin`, and send `Sec-Fetch-Site` only over HTTPS and on localhost. */
function usesHttps({ headers, host, protocol }: SentRequest): boolean {
  if (protocol === 'https' || headers.origin?.startsWith('https://') === true) return true;
  return headers['sec-fetch-site'] !== undefined && !isLocalhost(host);
}

/** Over HTTPS, the plain name is ignored, because a page on a sibling host could have set that cookie. */
export function sessionCookieOf(request: SentRequest): SessionCookie | null {
  const cookies = request.headers.cookie;
  if (cookies === undefined) return null;
  for (const name of usesHttps(request) ? [HOST_COOKIE] : [HOST_COOKIE, PLAIN_COOKIE]) {
    const values = valuesOf(name, cookies);
    const [token] = values;
    if (token === undefined) continue;
    return values.size === 1 && VALUE.test(token) ? { name, token } : null;
  }
  return null;
}

/** Several different values are rejected, because another host of the domain could have set one of them. */
function valuesOf(name: string, cookies: string): ReadonlySet<string> {
  const values = new Set<string>();
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) values.add(pair.slice(at + 1).trim());
  }
  return values;
}

export const renewsCookie = (extended: boolean, route: RouteSpec | null): boolean =>
  extended || route?.kind === 'dashboard';

export const newSessionCookie = (request: SentRequest, token: string): SessionCookie => ({
  name: usesHttps(request) ? HOST_COOKIE : PLAIN_COOKIE,
  token,
});

/** Returns the `Set-Cookie` header. */
export const setCookieOf = ({ name, token }: SessionCookie, maxAgeSeconds: number): string =>
  `${name}=${token}; ${ATTRIBUTES}; Max-Age=${maxAgeSeconds}`;

/** Returns the `Set-Cookie` header that deletes the cookie. */
export const noCookieOf = (request: SentRequest): string => {
  const name = sessionCookieOf(request)?.name ?? PLAIN_COOKIE;
  return `${name}=; ${ATTRIBUTES}; Max-Age=0`;
};
