import { Module } from '@nestjs/common';
import { EventsModule } from '../../events/events.module.js';
import { ReadTurnsModule } from '../read-turns.module.js';
import { NotificationsController } from './notifications.controller.js';

/** /admin/notifications: the bell of the dashboard, each reader with marks of its own. */
@Module({ imports: [EventsModule, ReadTurnsModule], controllers: [NotificationsController] })
export class AdminNotificationsModule {}
