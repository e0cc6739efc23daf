import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Changes } from './changes.js';

/**
 * Reports to the caches of this process what any process has changed. Separate, so that the code that changes and the code
 * that caches do not depend on each other. It fails quietly: without the database no change is reported. Once the database is
 * back, all topics are reported as changed.
 */
@Module({ imports: [DatabaseModule], providers: [Changes], exports: [Changes] })
export class ChangesModule {}
