import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { ReadTurnsModule } from '../read-turns.module.js';
import { WebhooksController } from './webhooks.controller.js';

/** /admin/webhooks: where events are sent, shown and changed. What is done is done in `events`. */
@Module({ imports: [EventsModule, ReadTurnsModule], controllers: [WebhooksController] })
export class AdminWebhooksModule {}
