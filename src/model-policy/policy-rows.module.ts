import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { PolicyService } from './policy.service.js';
import { PolicyStore } from './stores/policy.store.js';

/**
 * What the operators decided of models. Apart from the rest of the room, since it needs no upstream: the command line changes
 * it where none is set. While the database is away it goes on by what it last read.
 */
@Module({ imports: [AuditModule, ChangesModule], providers: [PolicyStore, PolicyService], exports: [PolicyService] })
export class PolicyRowsModule {}
