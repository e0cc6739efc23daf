import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { WatchConnection } from '../database/watch-connection.js';
import { RedisModule } from '../redis/redis.module.js';
import { Redis } from '../redis/redis.service.js';
import { Changes } from './changes.js';
import { PostgresChanges } from './postgres-changes.js';
import { RedisChanges } from './redis-changes.js';

const CHANGES = {
  provide: Changes,
  inject: [WatchConnection, Redis],
  useFactory: (watch: WatchConnection, redis: Redis): Changes => {
    const postgres = new PostgresChanges(watch);
    return redis.configured ? new RedisChanges(redis, postgres) : postgres;
  },
};

/**
 * What any process has changed, told to the caches of this one. Apart, so that who changes and who caches need not know
 * each other. It fails quietly: without the database nobody hears anything, and once it is back everybody is told that
 * anything may have changed.
 */
@Module({
  imports: [DatabaseModule, RedisModule],
  providers: [CHANGES],
  exports: [Changes],
})
export class ChangesModule {}
