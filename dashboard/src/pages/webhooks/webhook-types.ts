import type { components } from '../../api/schema';

export type Webhook = components['schemas']['WebhookResponse'];
export type CreatedWebhook = components['schemas']['CreatedWebhookResponse'];
export type Delivery = components['schemas']['DeliveryResponse'];
export type DeliveryStatus = Delivery['status'];
export type EventType = Delivery['type'];

export type WebhookSettings = Pick<Webhook, 'url' | 'events'>;
