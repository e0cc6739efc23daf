import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { AuditLog } from './audit-log.js';
import { AuditPartitions } from './audit-partitions.js';
import { AuditTrail } from './audit-trail.read-model.js';

/**
 * The audit log: who changed what, and from where. A separate module, because every change writes its row here, in its own
 * transaction: if the row cannot be written, the change is rolled back. Therefore it also exports `Transactions`.
 */
@Module({
  imports: [DatabaseModule],
  providers: [AuditLog, AuditPartitions, AuditTrail],
  exports: [AuditLog, AuditTrail, DatabaseModule],
})
export class AuditModule {}
