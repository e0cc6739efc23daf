import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { Readiness } from './readiness.service.js';
import { HealthController } from './health.controller.js';

/**
 * What probes and load balancers ask (D21). Liveness asks nobody, so that a slow database never gets a process killed;
 * readiness stays 200 while known keys can be served.
 */
@Module({
  imports: [DatabaseModule, LifecycleModule, UpstreamModule],
  controllers: [HealthController],
  providers: [Readiness],
})
export class HealthModule {}
