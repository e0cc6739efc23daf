import type { Operator } from './account.rules.js';

/** How long a session lives without being used: also the cookie's life (D19). */
export const SESSION_MS = 7 * 24 * 3_600_000;
/** Use extends it, as often as this. */
export const EXTEND_EACH_MS = 15 * 60_000;
/** Of one operator, at once; of more the one that was used longest ago goes. */
export const SESSIONS_MAX = 50;

/** Somebody signed in to the dashboard. The token itself is known to the browser alone. */
export interface Session {
  readonly id: string;
  readonly operatorId: string;
  readonly createdAt: Date;
  /** Exact to 15 minutes: it is written when the expiry is extended. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  /** From where it was signed in. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

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
