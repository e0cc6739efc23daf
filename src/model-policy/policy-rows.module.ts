import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../platform/changes/changes.module.js';
import { LostChangesModule } from '../audit/lost-changes/lost-changes.module.js';
import { PolicyService } from './policy.service.js';
import { PolicyStore } from './stores/policy.store.js';

/**
 * The model policy. It is separate from `ModelPolicyModule` because it needs no upstream: the command line changes it without
 * one. While the database is unavailable, the last rows stay in use.
 */
@Module({
  imports: [AuditModule, ChangesModule, LostChangesModule],
  providers: [PolicyStore, PolicyService],
  exports: [PolicyService],
})
export class PolicyRowsModule {}
