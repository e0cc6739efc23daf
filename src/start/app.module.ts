import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AdminModule } from '../admin/admin.module.js';
import { ChangesModule } from '../platform/changes/changes.module.js';
import { ClockModule } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { ConfigModule } from '../platform/config/config.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { DashboardModule } from '../admin/dashboard/dashboard.module.js';
import { ENTITIES } from './entities.js';
import { HealthModule } from './health/health.module.js';
import { PipelineModule } from '../proxy/pipeline/pipeline.module.js';
import { ProxyModule } from '../proxy/proxy.module.js';
import { SchedulerModule } from '../scheduler/scheduler.module.js';
import { MIGRATIONS } from '../../migrations/all.js';

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        ClockModule,
        ScheduleModule.forRoot(),
        DatabaseModule.with({ entities: ENTITIES, migrations: MIGRATIONS }),
        ChangesModule,
        PipelineModule,
        ProxyModule,
        AdminModule,
        DashboardModule,
        SchedulerModule,
        HealthModule,
      ],
    };
  }
}
