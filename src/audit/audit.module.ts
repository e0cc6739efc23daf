import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { AuditLog } from './audit-log.js';
import { AuditPartitions } from './audit-partitions.js';
import { AuditTrail } from './audit-trail.read-model.js';

/**
 * Who changed what, from where. Apart, because everything that changes something writes here, inside its own transaction:
 * where the row cannot be written the change does not happen either. It brings `Transactions` along for that.
 */
@Module({
  imports: [DatabaseModule],
  providers: [AuditLog, AuditPartitions, AuditTrail],
  exports: [AuditLog, AuditTrail, DatabaseModule],
})
export class AuditModule {}
