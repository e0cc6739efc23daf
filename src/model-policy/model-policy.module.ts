import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../platform/changes/changes.module.js';
import { Config } from '../platform/config/config.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelAllowlist } from './model-allowlist.service.js';
import { ModelGate } from './model-gate.service.js';
import { ModelList } from './model-list.service.js';
import { UpstreamCandidates } from './upstream-candidates.service.js';
import { ModelStates } from './model-states.service.js';
import { ModelPolicyPurge } from './model-policy-purge.service.js';
import { ModelProbes } from './model-probes.service.js';
import { PolicyRowsModule } from './policy-rows.module.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';
import { UpstreamProbe } from './probe/upstream-probe.js';
import { ModelRegistry } from './registry/model-registry.js';
import { readRegistryFile } from './registry/registry-file.js';
import { CatalogStore } from './stores/catalog.store.js';
import { ProbeStore } from './stores/probe.store.js';

/**
 * Decides which models exist, what they can do and which keys can use them. It combines the model registry, the model catalog,
 * the model policy and the probe verdicts. The module is separate because gate, model list and Admin API must agree.
 *
 * The last good catalog stays in use while the upstream is unavailable, and the last policy while the database is unavailable.
 * An invalid registry file aborts startup.
 */
@Module({
  imports: [AuditModule, ChangesModule, PolicyRowsModule, UpstreamModule],
  providers: [
    {
      provide: ModelRegistry,
      useFactory: (config: Config) => new ModelRegistry(readRegistryFile(config.modelRegistryPath)),
      inject: [Config],
    },
    CatalogStore,
    ProbeStore,
    UpstreamProbe,
    ModelCatalog,
    UpstreamCandidates,
    ProbeVerdicts,
    ModelPolicyPurge,
    ModelStates,
    ModelGate,
    ModelList,
    ModelAllowlist,
    ModelProbes,
  ],
  exports: [
    ModelCatalog,
    ModelGate,
    ModelList,
    ModelRegistry,
    UpstreamCandidates,
    ModelStates,
    PolicyRowsModule,
    ProbeVerdicts,
    ModelPolicyPurge,
    ModelAllowlist,
    ModelProbes,
  ],
})
export class ModelPolicyModule {}
