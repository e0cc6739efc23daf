import { Module } from '@nestjs/common';
import { AuditModule } from '../audit.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { SecretsModule } from '../../platform/secrets.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryAttempts } from './delivery/delivery-attempts.service.js';
import { DeliveryWorker } from './delivery/delivery-worker.service.js';
import { FailingWebhooks } from './failing-webhooks.service.js';
import { NotificationsService } from './notifications.service.js';
import { Outbox } from './outbox.js';
import { ClaimStore } from './stores/claim.store.js';
import { DeliveryStore } from './stores/delivery.store.js';
import { NotificationStore } from './stores/notification.store.js';
import { WebhookStore } from './stores/webhook.store.js';
import { WebhooksService } from './webhooks.service.js';
import { WebhookSecretRenewal } from './webhook-secret-renewal.service.js';

/**
 * The event queue, webhooks, and dashboard notifications (D20). The module is separate so that publishers do not depend on
 * receivers. An event is written in the transaction of the change that it reports. Failed deliveries are retried for a day and
 * do not delay other receivers. A database outage delays deliveries but loses none.
 */
@Module({
  imports: [AuditModule, DatabaseModule, SecretsModule],
  providers: [
    Outbox,
    WebhooksService,
    DeliveriesService,
    NotificationsService,
    DeliveryWorker,
    DeliveryAttempts,
    FailingWebhooks,
    WebhookSecretRenewal,
    WebhookStore,
    DeliveryStore,
    ClaimStore,
    NotificationStore,
  ],
  exports: [Outbox, WebhooksService, DeliveriesService, NotificationsService],
})
export class EventsModule {}
