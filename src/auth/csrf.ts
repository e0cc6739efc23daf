import { forbidden } from '../platform/errors/error-factories.js';
import type { Session, SessionsService } from './operators/sessions.service.js';

/** `insecure` means this gateway over plain HTTP outside localhost, where the browser silently drops the `Secure` cookie (D19). */
type OriginVerdict = 'own' | 'foreign' | 'insecure';

const LOCALHOST = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLocalhost = (host: string): boolean => LOCALHOST.has(host.replace(/:\d+$/, '').toLowerCase());

/** @param origin undefined if the request does not come from a page */
export function judgeSignInOrigin(origin: string | undefined, host: string): OriginVerdict {
  if (origin === undefined) return 'own';
  const page = urlOf(origin);
  // Both URLs have the page's scheme, so they omit the same default port.
  const here = page === null ? null : urlOf(`${page.protocol}//${host}`);
  if (page === null || here === null || page.host !== here.host) return 'foreign';
  return page.protocol === 'http:' && !LOCALHOST.has(page.hostname) ? 'insecure' : 'own';
}

function urlOf(origin: string): URL | null {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(origin) || !URL.canParse(origin)) return null;
  return new URL(origin);
}

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
