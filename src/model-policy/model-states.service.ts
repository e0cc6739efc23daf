import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { ModelState } from './availability.rules.js';
import { ModelCatalog } from './catalog.service.js';
import { PolicyService } from './policy.service.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';
import { ModelRegistry } from './registry/model-registry.js';

const START_PATIENCE_MS = 2_000;

/** Registry, catalog, policy and probes looked at together: what gate and listing judge a model by. */
@Injectable()
export class ModelStates {
  constructor(
    private readonly registry: ModelRegistry,
    private readonly catalog: ModelCatalog,
    private readonly policy: PolicyService,
    private readonly probes: ProbeVerdicts,
  ) {}

  get policyKnown(): boolean {
    return this.policy.known;
  }

  /** Policy and verdicts read, and a copy of the catalog there or its first refresh over. Once true it stays so. */
  get ready(): boolean {
    return this.policy.known && this.probes.known && this.catalog.settled;
  }

  /** Waits for `ready`, 2 s at most. @throws GatewayError `service_unavailable` where the policy is unknown even then */
  async whenReady(): Promise<void> {
    if (this.ready) return;
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, START_PATIENCE_MS);
    const known = [this.policy.whenKnown, this.probes.whenKnown, this.catalog.whenSettled];
    await Promise.race([Promise.all(known), patience.promise]);
    clearTimeout(timer);
    if (!this.policy.known) throw serviceUnavailable(new Error('the model policy has not been read yet'));
  }

  /** Of any id, also one that nobody knows. */
  of(model: string): ModelState {
    return {
      listed: this.catalog.copy === null ? null : this.catalog.copy.has(model),
      facts: this.registry.lookup(model),
      enabled: this.policy.of(model),
      probe: this.probes.of(model)?.verdict,
    };
  }

  /** Called after each change of catalog, policy or verdicts; the registry stays as it was at the start. */
  onChange(listener: () => void): void {
    this.catalog.onChange(listener);
    this.policy.onChange(listener);
    this.probes.onChange(listener);
  }
}
