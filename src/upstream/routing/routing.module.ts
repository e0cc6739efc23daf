import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { EventsModule } from '../../audit/events/events.module.js';
import { CostsModule } from '../../costs/costs.module.js';
import { ChangesModule } from '../../platform/changes/changes.module.js';
import { ModelPolicyModule } from '../../model-policy/model-policy.module.js';
import { UpstreamModule } from '../upstream.module.js';
import { ObjectOwners } from './objects/object-owners.service.js';
import { CandidateOrder } from './candidate-order.service.js';
import { Router } from './router.service.js';
import { IncidentStore } from './stores/incident.store.js';
import { DrainStore } from './stores/drain.store.js';
import { ObjectOwnerStore } from './stores/object-owner.store.js';
import { ReloadStore } from './stores/reload.store.js';
import { UpstreamDrains } from './upstream-drains.service.js';
import { UpstreamIncidents } from './upstream-incidents.service.js';
import { UpstreamReloads } from './upstream-reloads.service.js';
import { UpstreamStates } from './upstream-states.service.js';

/**
 * Chooses between the upstreams for each request, and moves to another one if the first fails before it responds. It is separate
 * from `upstream`, which sends requests, and from `model-policy`, which decides which models exist. While the database is
 * unavailable, the last known drains and object owners stay in use.
 */
@Module({
  imports: [AuditModule, ChangesModule, CostsModule, EventsModule, ModelPolicyModule, UpstreamModule],
  providers: [
    DrainStore,
    IncidentStore,
    ObjectOwnerStore,
    ReloadStore,
    ObjectOwners,
    UpstreamDrains,
    UpstreamIncidents,
    UpstreamReloads,
    UpstreamStates,
    CandidateOrder,
    Router,
  ],
  exports: [Router, ObjectOwners, UpstreamDrains, UpstreamStates],
})
export class RoutingModule {}
