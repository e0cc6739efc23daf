import type { Operator } from './operator.js';
import type { Session } from './session.js';

/** Where a sign-in comes from. */
export interface SignInOrigin {
  /** Of the caller, a trusted proxy's word heeded: guesses are counted by it. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
}

export interface SignedIn {
  /** The session's secret, known in this one moment: for the cookie. 43 characters, base64url. */
  readonly token: string;
  readonly session: Session;
  readonly operator: Operator;
  readonly csrfToken: string;
}
