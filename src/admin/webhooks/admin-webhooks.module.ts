import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { WebhooksController } from './webhooks.controller.js';

/** /admin/webhooks: where events are sent, shown and changed. What is done is done in `events`. */
@Module({ imports: [EventsModule], controllers: [WebhooksController] })
export class AdminWebhooksModule {}
