import { forbidden } from '../errors/catalogue.js';
import type { Session, SessionsService } from '../operators/sessions.service.js';

/**
 * An `insecure` page belongs to this gateway but uses plain HTTP outside localhost. There the browser would silently drop the
 * `Secure` cookie (D19).
 */
type OriginVerdict = 'own' | 'foreign' | 'insecure';

const LOCALHOST = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Compares the origin of a sign-in with this gateway's own origin.
 * @param origin the Origin header; undefined if the request does not come from a page
 * @param host the Host header, with the port unless it is the scheme's default
 */
export function judgeSignInOrigin(origin: string | undefined, host: string): OriginVerdict {
  if (origin === undefined) return 'own';
  const page = urlOf(origin);
  // Both URLs have the page's scheme, so that they omit the same default port.
  const here = page === null ? null : urlOf(`${page.protocol}//${host}`);
  if (page === null || here === null || page.host !== here.host) return 'foreign';
  return page.protocol === 'http:' && !LOCALHOST.has(page.hostname) ? 'insecure' : 'own';
}

/** Parses an http or https origin. Returns null for anything else, including the `null` origin of a sandboxed page. */
function urlOf(origin: string): URL | null {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(origin) || !URL.canParse(origin)) return null;
  return new URL(origin);
}

/**
 * Requires the session's CSRF token on every method except GET (D19).
 * @throws GatewayError `forbidden`
 */
export function requireCsrfToken(
  sessions: SessionsService,
  session: Session,
  { method, given }: { readonly method: string; readonly given: string | string[] | undefined },
): void {
  if (method === 'GET' || (typeof given === 'string' && sessions.isCsrfToken(session, given))) return;
  throw forbidden(
    'The `X-CSRF-Token` header is missing or does not match this session. Send the `csrf_token` from the sign-in response.',
  );
}
