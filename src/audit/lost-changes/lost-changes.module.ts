import { Module } from '@nestjs/common';
import { AuditModule } from '../audit.module.js';
import { EventsModule } from '../events/events.module.js';
import { ChangesModule } from '../../platform/changes/changes.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { LostChangeStore } from './lost-change.store.js';
import { LostChanges } from './lost-changes.service.js';

/**
 * Detects that the database has lost changes, after an asynchronous failover or a restore. The module is separate because keys and
 * model policies depend on it. If lost changes cannot be stored, each process enforces those that it remembers itself.
 */
@Module({
  imports: [AuditModule, ChangesModule, DatabaseModule, EventsModule],
  providers: [LostChangeStore, LostChanges],
  exports: [LostChangeStore, LostChanges],
})
export class LostChangesModule {}
