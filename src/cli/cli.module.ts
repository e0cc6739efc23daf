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
 * Commands for people with a shell and no browser. Apart, at the rim: nobody imports it, and it has the services of the
 * rooms that a command needs without the server, the scheduler or the pipeline. It fails before it begins: settings, the
 * database and its migrations are looked at first, and the line that says what is wrong also says what to do.
 *
 * Here is what has to be started: the database and, for whatever changes something, the audit log, whose partitions a
 * change needs. The rooms themselves are loaded lazily by `application.ts`: Nest calls no hook of such a module, so nothing
 * of theirs begins to work in the background (deliveries, admission, polls).
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
