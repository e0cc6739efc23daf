import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { NotificationsController } from './notifications.controller.js';

/** /admin/notifications: the bell of the dashboard, each reader with marks of its own. */
@Module({ imports: [EventsModule, OperatorReadLimitModule], controllers: [NotificationsController] })
export class AdminNotificationsModule {}
