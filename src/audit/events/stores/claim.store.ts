import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface Claim {
  readonly id: string;
  readonly lease: string;
  readonly webhookId: string;
  readonly url: string;
  readonly secret: string;
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** Counts failed attempts since the delivery was created, or since an operator retried it after it had failed. */
  readonly roundFailures: number;
  /** Milliseconds since the first of these failures, or 0 before it. */
  readonly roundMs: number;
}

export interface Outcome {
  readonly delivered: boolean;
  readonly responseStatus: number | null;
  readonly responseExcerpt: string;
  /** Milliseconds until the next attempt, or null after the last one. */
  readonly retryInMs: number | null;
}

/** An attempt and its recording take less time. The deliveries of a dead process wait at most this long. */
export const LEASE_MS = 60_000;
/** A webhook is disabled this long after its first failure without a success since (D20). */
export const FAILING_FOR_MAX = '3 days';
export const FAILED_FOR_LONG = `failing_since <= clock_timestamp() - interval '${FAILING_FOR_MAX}'`;

/**
 * Uses `webhook_deliveries` as a queue (ADR 0010). A claim is a lease in the row, taken with `skip locked`, so that two
 * processes never claim the same delivery. A dead process's deliveries become claimable after a minute.
 */
@Injectable()
export class ClaimStore {
  constructor(private readonly source: DataSource) {}

  /**
   * Claims the longest overdue deliveries. Disabled webhooks get only manual deliveries.
   * @param perWebhook maximum including `running`
   */
  async claim(perWebhook: number, running: ReadonlyMap<string, number>): Promise<Claim[]> {
    const parameters = [perWebhook, JSON.stringify(Object.fromEntries(running)), randomUUID(), LEASE_MS];
    return this.source.query<Claim[]>(CLAIM, parameters);
  }

  /** Returns whether the webhook must be disabled. Does nothing if another process has taken over the lease. */
  async record({ id, lease }: Claim, outcome: Outcome): Promise<boolean> {
    const { delivered, responseStatus, responseExcerpt, retryInMs } = outcome;
    const status = delivered ? 'delivered' : retryInMs === null ? 'failed' : 'pending';
    const parameters = [id, lease, status, responseStatus, responseExcerpt, retryInMs];
    const rows = await this.source.query<{ failed_for_long: boolean | null }[]>(RECORD, parameters);
    return rows[0]?.failed_for_long === true;
  }

  /** Makes the delivery claimable again without counting an attempt. */
  async release({ id, lease }: Claim): Promise<void> {
    const statement = `update webhook_deliveries set lease = null, leased_until = null where id = $1 and lease = $2`;
    await this.source.query(statement, [id, lease]);
  }
}

// Rows that another process has locked or just claimed are skipped: PostgreSQL evaluates the conditions again after it locks a
// row.
const CLAIM = `
  with due as (
    select d.id
      from webhooks w
     cross join lateral (
       select p.id
         from webhook_deliveries p
        where p.webhook_id = w.id and p.status = 'pending' and p.next_attempt_at <= statement_timestamp()
          and (p.leased_until is null or p.leased_until < statement_timestamp()) and (w.enabled or p.by_hand)
        order by p.next_attempt_at
        limit greatest(0, $1::int - coalesce(($2::jsonb ->> w.id::text)::int, 0))
          for no key update skip locked) d
  ), claimed as (
    update webhook_deliveries d
       set lease = $3, leased_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
      from due
     where d.id = due.id
    returning d.*)
  select d.id, d.lease, d.webhook_id as "webhookId", w.url, w.secret, d.event_id as "eventId", e.type,
         e.created_at as "createdAt", e.data, d.round_attempts as "roundFailures",
         coalesce(extract(epoch from clock_timestamp() - d.round_began_at) * 1000, 0)::float8 as "roundMs"
    from claimed d join webhooks w on w.id = d.webhook_id join events e on e.id = d.event_id
   order by d.next_attempt_at`;

// `failing_since` is the time of the first failure after a success. `w` is the webhook before this statement.
const RECORD = `
  with done as (
    update webhook_deliveries
       set status = $3, attempts = attempts + 1, response_status = $4, response_excerpt = $5,
           round_attempts = round_attempts + 1, round_began_at = coalesce(round_began_at, clock_timestamp()),
           next_attempt_at = case $3 when 'pending' then clock_timestamp() + make_interval(secs => $6::float8 / 1000) end,
           lease = null, leased_until = null
     where id = $1 and lease = $2
    returning webhook_id
  ), changed as (
    update webhooks set failing_since = case $3 when 'delivered' then null else clock_timestamp() end
     where id = (select webhook_id from done) and enabled and (failing_since is null) <> ($3 = 'delivered')
    returning id)
  select $3 <> 'delivered' and w.enabled and ${FAILED_FOR_LONG} as failed_for_long
    from done join webhooks w on w.id = done.webhook_id`;
