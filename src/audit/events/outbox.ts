import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions.js';
import { NOTIFYING_EVENT_TYPES, type EventType } from './event-type.data.js';

/** `data` must not contain secrets or their hashes. */
export interface OutgoingEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Once {
  /** The nil UUID if the event is not about a key. */
  readonly keyId: string;
  /** The month (`2026-07`) of a quota threshold, the expiry date, or the model and its upstream. */
  readonly period: string;
}

export const DUE_CHANNEL = 'gw_delivery';

/**
 * The event queue in the database (D20). An event is written in the transaction of its change. Its receivers are fixed at that
 * time: a webhook that is created or enabled later does not receive it.
 */
@Injectable()
export class Outbox {
  /**
   * Writes all events in one statement, and returns for each whether it was written. An event is not written if one with the same
   * `once` exists. The daily job passes at most 500.
   */
  async publishAll(
    transaction: Transaction,
    events: readonly (OutgoingEvent & { readonly once?: Once })[],
  ): Promise<boolean[]> {
    if (events.length === 0) return [];
    const rows = events.map(({ type, data, once }) => ({
      id: randomUUID(),
      type,
      data,
      key_id: once?.keyId ?? null,
      period: once?.period ?? null,
    }));
    const parameters = [JSON.stringify(rows), [...NOTIFYING_EVENT_TYPES], DUE_CHANNEL];
    const [{ written }] = await transaction.query<[{ written: string[] | null }]>(PUBLISH, parameters);
    const ids = new Set(written);
    return rows.map(({ id }) => ids.has(id));
  }
}

// PostgreSQL sends the `gw_delivery` notification at the commit. Times are truncated, because a time rounded up would become
// due only after the notification.
const PUBLISH = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as g(id uuid, type text, data jsonb, key_id uuid, period text)
  ), firsts as (
    insert into event_once (type, key_id, period, event_id, created_at)
    select type, key_id, period, id, clock_timestamp() from given where key_id is not null
    on conflict do nothing
    returning event_id
  ), written as (
    insert into events (id, type, created_at, data)
    select id, type, date_trunc('milliseconds', clock_timestamp()), data from given where key_id is null or id in (select event_id from firsts)
    returning id, type, created_at, data
  ), notified as (
    insert into notifications (id, type, created_at, data)
    select id, type, created_at, data from written where type = any($2)
  ), queued as (
    insert into webhook_deliveries (id, webhook_id, event_id, status, by_hand, next_attempt_at, created_at)
    select gen_random_uuid(), w.id, e.id, 'pending', false, e.created_at, e.created_at
      from written e join webhooks w on w.enabled and w.events && array['*', e.type]
    returning id
  )
  select (select array_agg(id) from written) as written,
         (select pg_notify($3, '') from queued limit 1) as notified`;
