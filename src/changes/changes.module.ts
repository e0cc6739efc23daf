import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Changes } from './changes.js';
import { PostgresChanges } from './postgres-changes.js';

/**
 * What any process has changed, told to the caches of this one. Apart, so that who changes and who caches need not know
 * each other. It fails quietly: without the database nobody hears anything, and once it is back everybody is told that
 * anything may have changed.
 */
@Module({
  imports: [DatabaseModule],
  providers: [{ provide: Changes, useClass: PostgresChanges }],
  exports: [Changes],
})
export class ChangesModule {}
