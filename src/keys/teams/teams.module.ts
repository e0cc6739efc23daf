import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { TeamStore } from './stores/team.store.js';
import { TeamsService } from './teams.service.js';

/**
 * Teams and tags. The module is separate because keys, limits and cost reports all refer to teams. Requests need no team,
 * because the snapshot of a key has its team ID and tags. A database outage therefore affects only changes to teams, which fail
 * with 503 `service_unavailable`.
 */
@Module({
  imports: [AuditModule, DatabaseModule],
  providers: [TeamStore, TeamsService],
  exports: [TeamsService],
})
export class TeamsModule {}
