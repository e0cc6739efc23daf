import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Page, readPage } from '../../../platform/database/page.js';
import type { Transaction } from '../../../platform/database/transactions.js';
import type { NotificationType } from '../event-type.data.js';

export interface Notification {
  readonly id: string;
  readonly type: NotificationType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly readAt: Date | null;
  readonly createdAt: Date;
}

const MARK_BATCH_SIZE = 5000;

/** A reader is an operator's ID or `admin_key`. */
@Injectable()
export class NotificationStore {
  constructor(private readonly source: DataSource) {}

  async list(
    reader: string,
    unread: boolean | null,
    page: Page,
  ): Promise<{ total: number; notifications: Notification[] }> {
    const { total, rows } = await readPage<Notification>(this.source, LIST, [reader, unread], page);
    return { total, notifications: rows };
  }

  /** Keeps the time of the first mark. Returns null if the notification does not exist. */
  async markRead(reader: string, id: string): Promise<Notification | null> {
    const rows = await this.source.query<Notification[]>(MARK_READ, [reader, id]);
    return rows[0] ?? null;
  }

  /** Returns the number of notifications that were unread. */
  async markAllRead(reader: string): Promise<number> {
    for (let marked = 0; ;) {
      const [{ count }] = await this.source.query<[{ count: number }]>(MARK_SOME_READ, [reader, MARK_BATCH_SIZE]);
      marked += count;
      if (count < MARK_BATCH_SIZE) return marked;
    }
  }

  async insert(transaction: Transaction, type: NotificationType, data: object): Promise<void> {
    const statement = `insert into notifications (id, type, created_at, data) values ($1, $2, clock_timestamp(), $3)`;
    await transaction.query(statement, [randomUUID(), type, JSON.stringify(data)]);
  }
}

const COLUMNS = 'n.id, n.type, n.data, r.read_at as "readAt", n.created_at as "createdAt"';

// A mark is deleted with its notification, so the difference of the counts is the unread count. This avoids a join of all rows.
const LIST = {
  rows: `
    select ${COLUMNS}
      from notifications n left join notification_reads r on r.notification_id = n.id and r.reader = $1
     where $2::boolean is null or (r.reader is null) = $2
     order by n.created_at desc, n.id desc
     limit $3 offset $4`,
  count: `
    with n as (select count(*) as all_rows from notifications),
         r as (select count(*) as marked from notification_reads where reader = $1)
    select (case when $2::boolean is null then all_rows when $2 then all_rows - marked else marked end)::int as total
      from n, r`,
};

// The update changes nothing. Without it, a notification that is already marked would not be returned.
const MARK_READ = `
  with mark as (
    insert into notification_reads (reader, notification_id, read_at)
    select $1, id, clock_timestamp() from notifications where id = $2
    on conflict (reader, notification_id) do update set read_at = notification_reads.read_at
    returning notification_id, read_at)
  select ${COLUMNS} from notifications n join mark r on r.notification_id = n.id`;

const MARK_SOME_READ = `
  with marked as (
    insert into notification_reads (reader, notification_id, read_at)
    select $1, n.id, clock_timestamp() from notifications n
     where not exists (select from notification_reads r where r.reader = $1 and r.notification_id = n.id)
     limit $2
    on conflict do nothing
    returning reader)
  select count(*)::int as count from marked`;
