import type { Operator } from './operator.rules.js';

/** Beyond this number, a new session of an operator replaces the least recently used. */
export const SESSIONS_MAX = 50;

export interface Session {
  readonly id: string;
  readonly operatorId: string;
  readonly createdAt: Date;
  /** Accurate to 15 minutes, because it is written only when the session is extended. */
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export interface SignInOrigin {
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
}

export interface SignedIn {
  /** The secret of the session: 43 characters of base64url. It is not stored. */
  readonly token: string;
  readonly session: Session;
  readonly operator: Operator;
  readonly csrfToken: string;
}
