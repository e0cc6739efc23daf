import { DataSource } from 'typeorm';
import { Transactions } from '../../src/platform/database/transactions.js';
import { Outbox, type Once, type OutgoingEvent } from '../../src/audit/events/outbox.js';
import { until } from './until.js';
import { SECRET_KEY, TestGateway, type Response } from './gateway.js';

export interface WebhookRow {
  readonly id: string;
  readonly url: string;
  readonly events: string[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly secret: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: number;
  readonly response_status: number | null;
  readonly response_excerpt: string | null;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export interface DeliveryPage {
  readonly total: number;
  readonly has_more: boolean;
  readonly deliveries: DeliveryRow[];
}

interface AuditRow {
  readonly action: string;
  readonly actor_type: string;
  readonly target_id: string;
  readonly metadata: Record<string, unknown>;
}

/** The effect of a notification takes less time. Polling alone takes up to a second. */
const SOON_MS = 5000;

/** A gateway that can deliver webhooks to this machine. */
export class WebhookGateway {
  private constructor(readonly gateway: TestGateway) {}

  static async start(
    env: Record<string, string> = {},
    given: Parameters<typeof TestGateway.start>[1] = {},
  ): Promise<WebhookGateway> {
    const settings = { GW_WEBHOOK_ALLOW_PRIVATE: 'true', GW_SECRET_KEY: SECRET_KEY, ...env };
    return new WebhookGateway(await TestGateway.start(settings, given));
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }

  query<T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> {
    return this.gateway.app.get(DataSource).query(sql, parameters);
  }

  async clear(): Promise<void> {
    await this.query('delete from webhooks');
  }

  async createWebhook(url: string, fields: Record<string, unknown> = {}): Promise<WebhookRow> {
    const response = await this.webhooks<WebhookRow>('POST', '', { url, events: ['*'], ...fields });
    if (response.status !== 201) throw new Error(`The webhook was not created: ${response.status} ${response.text}`);
    return response.body;
  }

  webhooks<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Response<T>> {
    return this.gateway.admin<T>(method, `/admin/webhooks${path}`, body);
  }

  async webhook(id: string): Promise<WebhookRow> {
    return (await this.webhooks<WebhookRow>('GET', `/${id}`)).body;
  }

  async deliveries(webhookId: string, query = ''): Promise<DeliveryRow[]> {
    return (await this.webhooks<DeliveryPage>('GET', `/${webhookId}/deliveries${query}`)).body.deliveries;
  }

  async publish(event: OutgoingEvent, once?: Once): Promise<boolean> {
    const [written] = await this.publishAll([{ ...event, once }]);
    return written!;
  }

  async publishMany(count: number): Promise<void> {
    await this.publishAll(Array.from({ length: count }, (_, n) => ({ type: 'key_revoked', data: { n } })));
  }

  private publishAll(events: Parameters<Outbox['publishAll']>[1]): Promise<boolean[]> {
    const { app } = this.gateway;
    return app.get(Transactions).run((transaction) => app.get(Outbox).publishAll(transaction, events));
  }

  /** Waits until the newest delivery of the webhook satisfies a condition. */
  async newest(webhookId: string, isSo: (row: DeliveryRow) => boolean): Promise<DeliveryRow> {
    let row: DeliveryRow | undefined;
    await until(async () => {
      [row] = await this.deliveries(webhookId);
      return row !== undefined && isSo(row);
    }, SOON_MS);
    return row!;
  }

  async set(webhookId: string, assignments: string): Promise<void> {
    await this.query(`update webhook_deliveries set ${assignments} where webhook_id = $1`, [webhookId]);
  }

  /** Makes pending deliveries due and notifies the gateway. */
  async dueNow(webhookId: string): Promise<void> {
    await this.set(webhookId, `next_attempt_at = case status when 'pending' then now() - interval '1 second' end`);
    await this.query(`select pg_notify('gw_delivery', '')`);
  }

  audited(webhookId: string): Promise<AuditRow[]> {
    return this.query<AuditRow>('select * from audit_logs where target_id = $1 order by created_at', [webhookId]);
  }
}
