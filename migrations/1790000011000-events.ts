import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Events1790000011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        id uuid PRIMARY KEY,
        type text NOT NULL,
        created_at timestamp(3) with time zone NOT NULL,
        data jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX events_created_at ON events (created_at)');
    await runner.query(`
      CREATE TABLE event_once (
        type text NOT NULL,
        key_id uuid NOT NULL,
        period text NOT NULL,
        event_id uuid NOT NULL,
        created_at timestamp(3) with time zone NOT NULL,
        PRIMARY KEY (type, key_id, period)
      )`);
    await runner.query('CREATE INDEX event_once_created_at ON event_once (created_at)');
    await createWebhooks(runner);
    await createBell(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE notification_reads, notifications, webhook_deliveries, webhooks, event_once, events',
    );
  }
}

/**
 * A delivery has no foreign key to its webhook, because the transaction that writes an event must not wait for the deletion of a
 * webhook. A delivery without a webhook is never sent and is deleted with its event.
 */
async function createWebhooks(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE webhooks (
      id uuid PRIMARY KEY,
      url text NOT NULL,
      events text[] NOT NULL,
      secret text NOT NULL,
      enabled boolean NOT NULL,
      disabled_reason text,
      failing_since timestamp(3) with time zone,
      created_at timestamp(3) with time zone NOT NULL,
      updated_at timestamp(3) with time zone NOT NULL
    )`);
  await runner.query(`
    CREATE TABLE webhook_deliveries (
      id uuid PRIMARY KEY,
      webhook_id uuid NOT NULL,
      event_id uuid NOT NULL REFERENCES events ON DELETE CASCADE,
      status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
      by_hand boolean NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      round_attempts integer NOT NULL DEFAULT 0,
      round_began_at timestamp(3) with time zone,
      response_status integer,
      response_excerpt text,
      next_attempt_at timestamp(3) with time zone,
      lease uuid,
      leased_until timestamp(3) with time zone,
      created_at timestamp(3) with time zone NOT NULL
    )`);
  await runner.query('CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (created_at)');
  await runner.query('CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id)');
  await runner.query(
    'CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at DESC, id DESC)',
  );
  await runner.query(
    'CREATE INDEX webhook_deliveries_status ON webhook_deliveries (webhook_id, status, created_at DESC, id DESC)',
  );
  await runner.query(
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_attempt_at) WHERE status = 'pending'`,
  );
}

/** `reader` is an operator's ID or `admin_key`. */
async function createBell(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE notifications (
      id uuid PRIMARY KEY,
      type text NOT NULL,
      created_at timestamp(3) with time zone NOT NULL,
      data jsonb NOT NULL
    )`);
  await runner.query('CREATE INDEX notifications_newest ON notifications (created_at DESC, id DESC)');
  await runner.query(`
    CREATE TABLE notification_reads (
      reader text NOT NULL,
      notification_id uuid NOT NULL REFERENCES notifications ON DELETE CASCADE,
      read_at timestamp(3) with time zone NOT NULL,
      PRIMARY KEY (reader, notification_id)
    )`);
  await runner.query('CREATE INDEX notification_reads_notification ON notification_reads (notification_id)');
}
