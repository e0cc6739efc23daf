import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { WebhooksController } from './webhooks.controller.js';

/** /admin/webhooks: where events are sent, shown and changed. What is done is done in `events`. */
@Module({ imports: [EventsModule, OperatorReadLimitModule], controllers: [WebhooksController] })
export class AdminWebhooksModule {}
