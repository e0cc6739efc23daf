import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Transaction } from '../../database/transactions.js';
import type { DeliveryStatus } from '../delivery-status.js';
import { DUE_CHANNEL } from '../outbox.js';
import { sendAgain } from './send-again.sql.js';
import type { Page } from './webhook.store.js';

/** What has become of one event at one webhook. */
export interface Delivery {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** null: nobody answered, or nobody was asked yet. */
  readonly responseStatus: number | null;
  readonly responseExcerpt: string | null;
  /** null: it is not tried again by itself. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

/** Deliveries as operators see them. What delivers is in `claim.store.ts`. */
@Injectable()
export class DeliveryStore {
  constructor(private readonly source: DataSource) {}

  /** One page of a webhook's deliveries, newest first, and how many match. */
  async list(
    webhookId: string,
    status: DeliveryStatus | null,
    { limit, offset }: Page,
  ): Promise<{ total: number; deliveries: Delivery[] }> {
    const [counted] = await this.source.query<[{ total: number }]>(COUNT, [webhookId, status]);
    const deliveries = await this.source.query<Delivery[]>(PAGE, [webhookId, status, limit, offset]);
    return { total: counted.total, deliveries };
  }

  /** An event of its own for one webhook, whatever that one wants and whether or not it is enabled. */
  async insertTest(transaction: Transaction, test: TestDelivery): Promise<void> {
    const { deliveryId, eventId, webhookId, data } = test;
    await transaction.query(INSERT_TEST, [eventId, JSON.stringify(data), deliveryId, webhookId, DUE_CHANNEL]);
  }

  /**
   * Has one sent again: `send-again.sql.ts`.
   * @returns null: no such delivery of this webhook, or it is delivered
   */
  async retry(transaction: Transaction, webhookId: string, id: string): Promise<Delivery | null> {
    const rows = await transaction.query<Delivery[]>(sendAgain(COLUMNS), [webhookId, id, DUE_CHANNEL]);
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

const COUNT = `
  select count(*)::int as total from webhook_deliveries where webhook_id = $1 and ($2::text is null or status = $2)`;

const PAGE = `
  select ${COLUMNS}
    from webhook_deliveries d join events e on e.id = d.event_id
   where d.webhook_id = $1 and ($2::text is null or d.status = $2)
   order by d.created_at desc, d.id desc
   limit $3 offset $4`;

const INSERT_TEST = `
  with written as (
    insert into events (id, type, created_at, data) values ($1, 'webhook_test', date_trunc('milliseconds', clock_timestamp()), $2)
    returning id, created_at
  ), queued as (
    insert into webhook_deliveries (id, webhook_id, event_id, status, by_hand, next_attempt_at, created_at)
    select $3, $4, id, 'pending', true, created_at, created_at from written
    returning id)
  select pg_notify($5, '') from queued`;
