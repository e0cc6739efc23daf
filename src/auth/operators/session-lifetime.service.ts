import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/config.js';

const HOUR_MS = 3_600_000;
const UNUSED_MS_MAX = 7 * 24 * HOUR_MS;
const EXTEND_INTERVAL_MS = 15 * 60_000;

/** The times that decide about all sessions at one moment. */
export interface SessionTimes {
  readonly now: Date;
  /** A session of this age ends even if it is used. */
  readonly ageMsMax: number;
  /** Sessions that were last seen at this time or before are extended. */
  readonly dueSince: Date;
  /** The expiry of a session that is used now, unless its age ends it earlier. */
  readonly until: Date;
}

/** A session ends seven days after its last use, and at most `GW_SESSION_MAX_HOURS` after its sign-in (D19). */
@Injectable()
export class SessionLifetime {
  private readonly ageMsMax: number;

  constructor(
    { sessionHoursMax }: Config,
    private readonly clock: Clock,
  ) {
    this.ageMsMax = sessionHoursMax * HOUR_MS;
  }

  times(): SessionTimes {
    const nowMs = this.clock.now();
    return {
      now: new Date(nowMs),
      ageMsMax: this.ageMsMax,
      dueSince: new Date(nowMs - EXTEND_INTERVAL_MS),
      until: new Date(nowMs + UNUSED_MS_MAX),
    };
  }

  hasEnded({ createdAt, expiresAt }: { readonly createdAt: Date; readonly expiresAt: Date }): boolean {
    const { now, ageMsMax } = this.times();
    return Math.min(expiresAt.getTime(), createdAt.getTime() + ageMsMax) <= now.getTime();
  }

  /** Assumes that the session was extended just now, so that the cookie never expires before the session. */
  cookieSecondsOf({ createdAt }: { readonly createdAt: Date }): number {
    const times = this.times();
    return Math.ceil((endOf(createdAt, times).getTime() - times.now.getTime()) / 1000);
  }
}

export const endOf = (createdAt: Date, { ageMsMax, until }: SessionTimes): Date =>
  new Date(Math.min(createdAt.getTime() + ageMsMax, until.getTime()));
