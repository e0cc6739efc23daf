import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { LostChangesModule } from '../../audit/lost-changes/lost-changes.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { PolicyRowsModule } from '../../model-policy/policy-rows.module.js';
import { DecisionRecords } from './decision-records.service.js';
import { LostChangeDecisions } from './lost-change-decisions.service.js';

/**
 * Decisions about lost changes. The module is separate because the command line needs it without the rest of the Admin API. It is here
 * because a decision changes keys and model policies.
 */
@Module({
  imports: [AuditModule, KeysModule, LostChangesModule, PolicyRowsModule],
  providers: [DecisionRecords, LostChangeDecisions],
  exports: [LostChangeDecisions, LostChangesModule],
})
export class LostChangesAdminModule {}
