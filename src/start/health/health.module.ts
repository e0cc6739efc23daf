import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { LifecycleModule } from '../../platform/lifecycle.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { StatsModule } from '../../stats/stats.module.js';
import { UpstreamModule } from '../../upstream/upstream.module.js';
import { DatabaseReadiness } from './database-readiness.js';
import { Readiness } from './readiness.service.js';
import { HealthController } from './health.controller.js';

/**
 * Serves the probes of Kubernetes and load balancers (D21). Liveness depends on nothing, so that a slow database never causes
 * a restart. Readiness stays 200 while the gateway can serve the API keys that it has cached.
 */
@Module({
  imports: [DatabaseModule, LifecycleModule, QuotaModule, StatsModule, UpstreamModule],
  controllers: [HealthController],
  providers: [DatabaseReadiness, Readiness],
})
export class HealthModule {}
