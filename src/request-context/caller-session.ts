import type { AdminRouteSpec } from '../routes/route-spec.js';

/** Who is signed in and by which session, where a request came with the session cookie. Left by the guards of stage 3. */
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

/** The caller of the Admin API, as in its audit rows (D18). The admin guard puts it into the context. */
export interface AdminActor {
  readonly type: 'admin_key' | 'operator' | 'system';
  /** The operator's id; null for the admin key and the system. */
  readonly id: string | null;
  /** null: no request led to it, but the clock or the command line. */
  readonly requestId: string | null;
  /** Address of the caller, a trusted proxy's word heeded. */
  readonly ip: string | null;
}

/** The actor of scheduled jobs and of the command line. */
export const SYSTEM_ACTOR: AdminActor = { type: 'system', id: null, requestId: null, ip: null };
