import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit-log.js';
import { Transactions } from '../../platform/database/transactions.js';
import { notFound } from '../../platform/errors/error-factories.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { type Delivery, type DeliveryQuery, DeliveryStore } from './stores/delivery.store.js';
import { WebhookStore } from './stores/webhook.store.js';

export type { Delivery } from './stores/delivery.store.js';

const TEST_MESSAGE = 'This is a test event sent by an operator.';

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhookStore,
    private readonly deliveries: DeliveryStore,
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
  ) {}

  /** @throws GatewayError `not_found` */
  async list(webhookId: string, query: DeliveryQuery): Promise<{ total: number; deliveries: Delivery[] }> {
    if ((await this.webhooks.find(webhookId)) === null) throw notFound('Webhook not found');
    return this.deliveries.list(webhookId, query);
  }

  /** Sends a `webhook_test` event to this webhook only, even if it is disabled or does not subscribe to the event. */
  test(webhookId: string, actor: AdminActor): Promise<{ eventId: string; deliveryId: string }> {
    const sent = { eventId: randomUUID(), deliveryId: randomUUID() };
    const data = { webhook_id: webhookId, message: TEST_MESSAGE };
    return this.transactions.run(async (transaction) => {
      if ((await this.webhooks.lock(transaction, webhookId)) === null) throw notFound('Webhook not found');
      const metadata = { event_id: sent.eventId };
      const target = { targetType: 'webhook', targetId: webhookId };
      await this.audit.write(transaction, { action: 'webhook.tested', actor, ...target, metadata });
      await this.deliveries.insertTest(transaction, { ...sent, webhookId, data });
      return sent;
    });
  }

  /**
   * Makes a delivery due now, even if its webhook is disabled.
   * @throws GatewayError `not_found`, also for a delivered message
   */
  retry(webhookId: string, id: string, actor: AdminActor): Promise<Delivery> {
    return this.transactions.run(async (transaction) => {
      const delivery = await this.deliveries.retry(transaction, webhookId, id);
      if (delivery === null) throw notFound('Delivery not found or already delivered');
      const target = { targetType: 'webhook', targetId: webhookId };
      const metadata = { delivery_sent_again: id };
      await this.audit.write(transaction, { action: 'webhook.updated', actor, ...target, metadata });
      return delivery;
    });
  }
}
