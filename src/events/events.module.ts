import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
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
import { WebhookSecretRenewal } from './webhook-secret-renewal.service.js';
import { WebhookTargets } from './webhook-targets.js';
import { WebhooksService } from './webhooks.service.js';

/**
 * What has happened, told to whoever wants to know: the queue of events, the webhooks it is delivered to, the bell of the
 * dashboard (D20). Apart, because who tells of an event need not know who hears it. Events are one with the change that
 * they tell of; a receiver that is away gets them later, for a day, and holds up nobody meanwhile. Without the database
 * nothing is delivered, and nothing that is in the queue gets lost.
 */
@Module({
  imports: [AuditModule, DatabaseModule, SecretsModule],
  providers: [
    ...[Outbox, WebhooksService, DeliveriesService, NotificationsService],
    ...[DeliveryWorker, DeliveryAttempts, FailingWebhooks, WebhookSecretRenewal, WebhookTargets],
    ...[WebhookStore, DeliveryStore, ClaimStore, NotificationStore],
  ],
  exports: [Outbox, WebhooksService, DeliveriesService, NotificationsService],
})
export class EventsModule {}
