import { forbidden } from '../errors/catalogue.js';
import type { Session, SessionsService } from '../operators/sessions.service.js';

/**
 * A call by a session that may change something has to carry the session's own token (D19).
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
