import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Changes } from './changes.js';

/**
 * Notifies the caches of this process of changes by any process. The module is separate so that the code that makes changes and
 * the caches do not depend on each other. After a database outage, it reports all topics as changed.
 */
@Module({ imports: [DatabaseModule], providers: [Changes], exports: [Changes] })
export class ChangesModule {}
