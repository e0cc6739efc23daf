import { Module } from '@nestjs/common';
import { AuditLog } from './audit-log.js';
import { AuditPartitions } from './audit-partitions.js';

/**
 * Who changed what, from where. Apart, because everything that changes something writes here, inside its own transaction:
 * where the row cannot be written the change does not happen either.
 */
@Module({ providers: [AuditLog, AuditPartitions], exports: [AuditLog] })
export class AuditModule {}
