import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { AuditLog, AuditPartitions } from './audit-log.js';
import { AuditLogReadModel } from './audit-log.read-model.js';

/**
 * The audit log: the actor, target and client address of every change. The module is separate because many modules write to it.
 * They write each row in the transaction of its change, so the module also exports `Transactions`. If the row cannot be
 * written, the change is rolled back.
 */
@Module({
  imports: [DatabaseModule],
  providers: [AuditLog, AuditPartitions, AuditLogReadModel],
  exports: [AuditLog, AuditLogReadModel, DatabaseModule],
})
export class AuditModule {}
