import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import { FAILED_FOR_LONG } from './claim.store.js';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface NewWebhook extends Pick<Webhook, 'id' | 'url' | 'events' | 'enabled'> {
  readonly secret: string;
}

type WebhookValues = Pick<Webhook, 'url' | 'events' | 'enabled' | 'disabledReason'>;

/** Reads and writes `webhooks` for operators. `ClaimStore` also writes `failing_since`. */
@Injectable()
export class WebhookStore {
  constructor(private readonly source: DataSource) {}

  async list(page: Page): Promise<{ total: number; webhooks: Webhook[] }> {
    const { total, rows } = await readPage<Webhook>(this.source, LIST, [], page);
    return { total, webhooks: rows };
  }

  async find(id: string): Promise<Webhook | null> {
    const rows = await this.source.query<Webhook[]>(`select ${COLUMNS} from webhooks where id = $1`, [id]);
    return rows[0] ?? null;
  }

  async count(transaction: Transaction): Promise<number> {
    const [{ total }] = await transaction.query<[{ total: number }]>(LIST.count);
    return total;
  }

  /** Serializes additions, so that `count` stays true until the transaction ends. */
  async lockCount(transaction: Transaction): Promise<void> {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`);
  }

  /** Events can still be queued for the locked webhook. */
  async lock(transaction: Transaction, id: string): Promise<Webhook | null> {
    const one = `select ${COLUMNS} from webhooks where id = $1 for no key update`;
    const rows = await transaction.query<Webhook[]>(one, [id]);
    return rows[0] ?? null;
  }

  async insert(transaction: Transaction, { id, url, events, enabled, secret }: NewWebhook): Promise<Webhook> {
    const [webhook] = await transaction.query<[Webhook]>(INSERT, [id, url, events, enabled, secret]);
    return webhook;
  }

  /** Disabling a webhook dead-letters its pending deliveries. A new URL or `enabled` value also resets the failure period. */
  async update(transaction: Transaction, id: string, values: WebhookValues): Promise<Webhook> {
    const { url, events, enabled, disabledReason } = values;
    const [webhook] = await transaction.query<[Webhook]>(UPDATE, [id, url, events, enabled, disabledReason]);
    if (!enabled) await this.deadLetter(id, transaction);
    return webhook;
  }

  /** Disables a webhook that has failed for `FAILING_FOR_MAX`, and returns its URL. Otherwise it returns null. */
  async disableFailing(transaction: Transaction, id: string): Promise<string | null> {
    const rows = await transaction.query<{ url: string }[]>(DISABLE_FAILING, [id]);
    if (rows[0] === undefined) return null;
    await this.deadLetter(id, transaction);
    return rows[0].url;
  }

  /** Deletes the webhook and up to 5000 deliveries. Other deliveries, and those in progress, are deleted with their events. */
  async delete(transaction: Transaction, id: string): Promise<void> {
    await transaction.query('delete from webhooks where id = $1', [id]);
    await transaction.query(DELETE_DELIVERIES, [id]);
  }

  /**
   * Dead-letters at most 1000 deliveries of each disabled webhook.
   * @param id includes manual deliveries; null for all webhooks, without manual deliveries
   */
  async deadLetter(id: string | null, source: Pick<Transaction, 'query'> = this.source): Promise<void> {
    await source.query(DEAD_LETTER, [id]);
  }

  async secrets(): Promise<{ id: string; secret: string }[]> {
    return this.source.query('select id, secret from webhooks order by id');
  }

  /** Does nothing if the secret is no longer `before`. */
  async replaceSecret(id: string, before: string, secret: string): Promise<void> {
    await this.source.query('update webhooks set secret = $3 where id = $1 and secret = $2', [id, before, secret]);
  }
}

const COLUMNS = `
  id, url, events, enabled, disabled_reason as "disabledReason", created_at as "createdAt", updated_at as "updatedAt"`;

const LIST = {
  rows: `select ${COLUMNS} from webhooks order by created_at desc, id desc limit $1 offset $2`,
  count: 'select count(*)::int as total from webhooks',
};

const INSERT = `
  insert into webhooks (id, url, events, enabled, secret, created_at, updated_at)
  values ($1, $2, $3, $4, $5, statement_timestamp(), statement_timestamp())
  returning ${COLUMNS}`;

// TypeORM returns the rows of a select directly, but the rows of an update in a pair with their count.
const UPDATE = `
  with changed as (
    update webhooks
       set url = $2, events = $3, enabled = $4, disabled_reason = $5,
           failing_since = case when url = $2 and enabled = $4 then failing_since end,
           updated_at = greatest(statement_timestamp(), updated_at + interval '1 millisecond')
     where id = $1
    returning *)
  select ${COLUMNS} from changed`;

const DISABLE_FAILING = `
  with changed as (
    update webhooks
       set enabled = false, disabled_reason = 'failing', failing_since = null,
           updated_at = greatest(statement_timestamp(), updated_at + interval '1 millisecond')
     where id = $1 and enabled and ${FAILED_FOR_LONG}
    returning url)
  select url from changed`;

// Recording an attempt locks the delivery and then its webhook. This statement can run with the webhook locked, so it must not
// wait for a delivery.
const DEAD_LETTER = `
  update webhook_deliveries
     set status = 'failed', next_attempt_at = null
   where id in (
     select d.id from webhooks w
      cross join lateral (
        select p.id from webhook_deliveries p
         where p.webhook_id = w.id and p.status = 'pending' and (not p.by_hand or w.id = $1)
           and (p.leased_until is null or p.leased_until < statement_timestamp())
         limit 1000
           for no key update skip locked) d
      where not w.enabled and ($1::uuid is null or w.id = $1))`;

const DELETE_DELIVERIES = `
  delete from webhook_deliveries
   where id in (select id from webhook_deliveries where webhook_id = $1 limit 5000 for update skip locked)`;
