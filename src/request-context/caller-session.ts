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
