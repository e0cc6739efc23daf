import { forbidden } from '../errors/catalogue.js';
import type { Session, SessionsService } from '../operators/sessions.service.js';

/**
 * Where the page is that signs somebody in. `foreign`: not the page of this gateway; `insecure`: its own page, but over
 * plain http on another machine, where the browser would drop the `Secure` cookie without a word (D19).
 */
type OriginVerdict = 'own' | 'foreign' | 'insecure';

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * @param origin of the request; undefined where it did not come from a page
 * @param host as the browser addressed this gateway, with the port where it is not the scheme's own
 */
export function judgeSignInOrigin(origin: string | undefined, host: string): OriginVerdict {
  if (origin === undefined) return 'own';
  const page = urlOf(origin);
  // By the page's own scheme, so that a port that goes without saying is the same on both sides.
  const here = page === null ? null : urlOf(`${page.protocol}//${host}`);
  if (page === null || here === null || page.host !== here.host) return 'foreign';
  return page.protocol === 'http:' && !THIS_MACHINE.has(page.hostname) ? 'insecure' : 'own';
}

/** Of a bare origin over http or https; null for anything else, `null` of a sandboxed page among it. */
function urlOf(origin: string): URL | null {
  if (!/^https?:\/\/[^/?#@\\]+$/i.test(origin) || !URL.canParse(origin)) return null;
  return new URL(origin);
}

/**
 * Requires the session's own token on calls that can change something (D19).
 * @param given `X-CSRF-Token`
 * @throws GatewayError `forbidden`
 */
export function requireCsrfToken(
  sessions: SessionsService,
  session: Session,
  { method, given }: { readonly method: string; readonly given: string | string[] | undefined },
): void {
  if (method === 'GET' || (typeof given === 'string' && sessions.isCsrfToken(session, given))) return;
  throw forbidden("The X-CSRF-Token header is missing or is not this session's: sign in answers it as `csrf_token`.");
}
