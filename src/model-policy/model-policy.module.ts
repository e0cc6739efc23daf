import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { Config } from '../config/config.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelAllowlist } from './model-allowlist.service.js';
import { ModelGate } from './model-gate.service.js';
import { ModelList } from './model-list.service.js';
import { ModelPolicyPurge, ModelStates } from './model-states.service.js';
import { ModelProbes } from './model-probes.service.js';
import { PolicyRowsModule } from './policy-rows.module.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';
import { UpstreamProbe } from './probe/upstream-probe.js';
import { ModelRegistry } from './registry/model-registry.js';
import { readRegistryFile } from './registry/registry-file.js';
import { CatalogStore } from './stores/catalog.store.js';
import { ProbeStore } from './stores/probe.store.js';

/**
 * Which models there are, what they are, and who may use them where: the registry's knowledge, the upstream's live list
 * the operators' policy and what probes said, looked at together. Apart, because gate, listing and admin API must judge alike.
 * With the upstream away the last good list serves; with the database away the policy last read; a bad registry file ends
 * the start. `ModelGateGuard` is made by the pipeline, which confirms what it refuses.
 */
@Module({
  imports: [AuditModule, ChangesModule, PolicyRowsModule, UpstreamModule],
  providers: [
    {
      provide: ModelRegistry,
      useFactory: (config: Config) => new ModelRegistry(readRegistryFile(config.modelRegistryPath)),
      inject: [Config],
    },
    ...[CatalogStore, ProbeStore, UpstreamProbe],
    ...[ModelCatalog, ProbeVerdicts, ModelPolicyPurge, ModelStates],
    ...[ModelGate, ModelList, ModelAllowlist, ModelProbes],
  ],
  exports: [
    ...[ModelCatalog, ModelGate, ModelList, ModelRegistry, ModelStates],
    ...[PolicyRowsModule, ProbeVerdicts, ModelPolicyPurge, ModelAllowlist, ModelProbes],
  ],
})
export class ModelPolicyModule {}
