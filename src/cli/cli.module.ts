import { Module, type DynamicModule } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { MIGRATIONS } from '../../migrations/all.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClockModule } from '../clock/clock.js';
import type { Config } from '../config/config.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { ENTITIES } from '../entities.js';

/**
 * The command line: the services behind the Admin API, without the server, the scheduler and the request pipeline. No other
 * folder imports it. A failed check of settings, database or migrations prints the problem and its remedy before a command does
 * any work.
 *
 * This module starts the database and, for commands that change data, the audit log, which must create its partitions.
 * `application.ts` loads all other modules lazily. Nest does not call the lifecycle hooks of lazily loaded modules, so none of
 * their background work starts (webhook deliveries, admission, polling).
 */
@Module({})
export class CliModule {
  static with(config: Config, writes: boolean): DynamicModule {
    const database = DatabaseModule.with({ entities: ENTITIES, migrations: MIGRATIONS });
    return {
      module: CliModule,
      imports: [
        ...[ConfigModule.with(config), ClockModule, ScheduleModule.forRoot(), database],
        ...(writes ? [AuditModule] : []),
      ],
    };
  }
}
