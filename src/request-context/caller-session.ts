import type { AdminRouteSpec } from '../routes/route-spec.js';

/** The session and the operator of a request with a session cookie. The guards of stage 3 put it into the context. */
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

/** The caller of the Admin API, as recorded in audit rows (D18). The admin guard puts it into the context. */
export interface AdminActor {
  readonly type: 'admin_key' | 'operator' | 'system';
  /** The operator's ID. Null for the admin key and the system. */
  readonly id: string | null;
  /** Null for scheduled jobs and the command line. */
  readonly requestId: string | null;
  /** The client's address, from the forwarding headers of a trusted proxy if there is one. */
  readonly ip: string | null;
}

/** The actor of scheduled jobs and of the command line. */
export const SYSTEM_ACTOR: AdminActor = { type: 'system', id: null, requestId: null, ip: null };
