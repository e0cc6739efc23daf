import type { AdminRouteSpec } from '../routes/route-spec.js';

/** Stage 3 puts it into the context of a request with a session cookie. */
export interface CallerSession {
  readonly session: {
    readonly id: string;
    readonly operatorId: string;
    readonly createdAt: Date;
    readonly lastSeenAt: Date;
    readonly expiresAt: Date;
    readonly ip: string | null;
    readonly userAgent: string | null;
  };
  readonly operator: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly role: AdminRouteSpec['role'];
  };
}

/** The caller of the Admin API, as recorded in audit rows (D18). */
export interface AdminActor {
  readonly type: 'admin_key' | 'operator' | 'system';
  readonly id: string | null;
  readonly requestId: string | null;
  /** Taken from the forwarding headers of a trusted proxy, if there is one. */
  readonly ip: string | null;
}

/** The actor of scheduled jobs and of the command line. */
export const SYSTEM_ACTOR: AdminActor = { type: 'system', id: null, requestId: null, ip: null };
