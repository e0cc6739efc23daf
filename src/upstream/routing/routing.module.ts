import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { CostsModule } from '../../costs/costs.module.js';
import { ChangesModule } from '../../platform/changes/changes.module.js';
import { ModelPolicyModule } from '../../model-policy/model-policy.module.js';
import { UpstreamModule } from '../upstream.module.js';
import { ObjectOwners } from './objects/object-owners.service.js';
import { CandidateOrder } from './candidate-order.service.js';
import { Router } from './router.service.js';
import { DrainStore } from './stores/drain.store.js';
import { ObjectOwnerStore } from './stores/object-owner.store.js';
import { ReloadStore } from './stores/reload.store.js';
import { UpstreamDrains } from './upstream-drains.service.js';
import { UpstreamReloads } from './upstream-reloads.service.js';
import { UpstreamStates } from './upstream-states.service.js';

/**
 * Chooses between the upstreams for each request, and moves to another one if the first fails before it responds. It is separate
 * from `upstream`, which sends requests, and from `model-policy`, which decides which models exist. While the database is
 * unavailable, the last known drains and object owners stay in use.
 */
@Module({
  imports: [AuditModule, ChangesModule, CostsModule, ModelPolicyModule, UpstreamModule],
  providers: [
    DrainStore,
    ObjectOwnerStore,
    ReloadStore,
    ObjectOwners,
    UpstreamDrains,
    UpstreamReloads,
    UpstreamStates,
    CandidateOrder,
    Router,
  ],
  exports: [Router, ObjectOwners, UpstreamDrains, UpstreamStates],
})
export class RoutingModule {}
