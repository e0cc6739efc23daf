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
