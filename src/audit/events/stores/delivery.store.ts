import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { DeliveryStatus } from '../event-type.data.js';
import { DUE_CHANNEL } from '../outbox.js';

export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly responseStatus: number | null;
  readonly responseExcerpt: string | null;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

export interface DeliveryQuery extends Page {
  readonly status?: DeliveryStatus;
}

/** Deliveries as operators see them. `ClaimStore` serves the delivery worker. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly source: DataSource) {}

  async list(webhookId: string, query: DeliveryQuery): Promise<{ total: number; deliveries: Delivery[] }> {
    const { total, rows } = await readPage<Delivery>(this.source, LIST, [webhookId, query.status], query);
    return { total, deliveries: rows };
  }

  async insertTest(transaction: Transaction, test: TestDelivery): Promise<void> {
    const { deliveryId, eventId, webhookId, data } = test;
    await transaction.query(INSERT_TEST, [eventId, JSON.stringify(data), deliveryId, webhookId, DUE_CHANNEL]);
  }

  /**
   * Makes a delivery due now (D17). A failed delivery starts a new round. Returns null if it does not exist or has succeeded.
   */
  async retry(transaction: Transaction, webhookId: string, id: string): Promise<Delivery | null> {
    const rows = await transaction.query<Delivery[]>(RETRY, [webhookId, id, DUE_CHANNEL]);
    return rows[0] ?? null;
  }
}

interface TestDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly data: object;
}

const COLUMNS = `
  d.id, d.event_id as "eventId", e.type, d.status, d.attempts, d.response_status as "responseStatus",
  d.response_excerpt as "responseExcerpt", d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt"`;

const LISTED = 'd.webhook_id = $1 and ($2::text is null or d.status = $2)';
const LIST = {
  rows: `
    select ${COLUMNS}
      from webhook_deliveries d join events e on e.id = d.event_id
     where ${LISTED}
     order by d.created_at desc, d.id desc
     limit $3 offset $4`,
  count: `select count(*)::int as total from webhook_deliveries d where ${LISTED}`,
};

const INSERT_TEST = `
  with written as (
    insert into events (id, type, created_at, data) values ($1, 'webhook_test', date_trunc('milliseconds', clock_timestamp()), $2)
    returning id, created_at
  ), queued as (
    insert into webhook_deliveries (id, webhook_id, event_id, status, by_hand, next_attempt_at, created_at)
    select $3, $4, id, 'pending', true, created_at, created_at from written
    returning id)
  select pg_notify($5, '') from queued`;

const RETRY = `
  with d as (
    update webhook_deliveries
       set status = 'pending', by_hand = true, next_attempt_at = date_trunc('milliseconds', clock_timestamp()),
           round_attempts = case status when 'failed' then 0 else round_attempts end,
           round_began_at = case status when 'failed' then null else round_began_at end
     where webhook_id = (select id from webhooks where id = $1) and id = $2 and status <> 'delivered'
    returning *)
  select ${COLUMNS}, pg_notify($3, '') from d join events e on e.id = d.event_id`;
