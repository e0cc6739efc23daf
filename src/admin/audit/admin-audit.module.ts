import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { OperatorReadLimitModule } from '../../fairness/operator-read-limit.guard.js';
import { AuditLogsController } from './audit-logs.controller.js';
import { KeyAuditController } from './key-audit.controller.js';

/** /admin/audit-logs and the audit log of a key. Only reads: a reader leaves no row. */
@Module({
  imports: [AuditModule, KeysModule, OperatorReadLimitModule],
  controllers: [AuditLogsController, KeyAuditController],
})
export class AdminAuditModule {}
