import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { BoundedDataSource } from './bounded-data-source.js';
import { dataSourceOptions, type DataSourceParts } from './data-source-options.js';
import { Database } from './database.service.js';
import { ReportSource } from './report-source.js';
import { StatisticsDatabase } from './statistics-database.js';
import { Transactions } from './transactions.js';
import { WatchConnection } from './watch-connection.js';

/**
 * Provides the PostgreSQL pool, migrations at startup, transactions, and the state.
 * At startup the gateway waits for the database. Statements on a hanging or unavailable database fail within 2 s. A pooler that
 * does not keep sessions is treated as unavailable (ADR 0036). Reports read from a replica if there is one.
 */
@Module({
  providers: [
    Database,
    WatchConnection,
    Transactions,
    StatisticsDatabase,
    { provide: ReportSource, useExisting: StatisticsDatabase },
  ],
  exports: [Database, WatchConnection, Transactions, ReportSource],
})
export class DatabaseModule {
  /** For the application module only. Other modules import the class itself. */
  static with({ entities, migrations }: Pick<DataSourceParts, 'entities' | 'migrations'>): DynamicModule {
    const source = TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: ({ databaseUrl, databasePool }: Config) => ({
        ...dataSourceOptions({ url: databaseUrl ?? '', poolSize: databasePool, entities, migrations }),
        manualInitialization: true,
      }),
      dataSourceFactory: (options) =>
        Promise.resolve(new BoundedDataSource(options as ReturnType<typeof dataSourceOptions>)),
    });
    return { module: DataSourceModule, imports: [source, DatabaseModule], exports: [DatabaseModule] };
  }
}

@Module({})
class DataSourceModule {}
