import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { serviceUnavailable } from '../errors/catalogue.js';
import type { ModelState } from './availability.rules.js';
import { ModelCatalog } from './catalog.service.js';
import { PolicyService } from './policy.service.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';
import { ModelRegistry } from './registry/model-registry.js';

const START_PATIENCE_MS = 2_000;

/** Registry, catalog, policy and probes together, by which gate and listing judge a model. */
@Injectable()
export class ModelStates {
  constructor(
    private readonly registry: ModelRegistry,
    private readonly catalog: ModelCatalog,
    private readonly policy: PolicyService,
    private readonly probes: ProbeVerdicts,
    private readonly config: Config,
  ) {}

  /** `GW_PROFILE=current`. */
  get current(): boolean {
    return this.config.current;
  }

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

  /** The state of any ID, also of an unknown one. With `GW_PROFILE=current` an allow entry lists a model (D12). */
  of(model: string): ModelState {
    const { copy } = this.catalog;
    const row = copy?.get(model);
    const enabled = this.policy.of(model);
    return {
      listed: copy === null ? null : row !== undefined || (this.current && enabled === true),
      facts: this.registry.lookup(model, row?.owned_by),
      enabled,
      probe: this.probes.of(model)?.verdict,
    };
  }

  /** With `GW_PROFILE=current`, whether an operator allows a model that the registry does not know: it fits every route. */
  isVouchedFor({ facts, enabled }: ModelState): boolean {
    return this.current && enabled === true && facts === null;
  }

  /** With `GW_PROFILE=current`, the models that operators allow and the catalog does not list. Otherwise none. */
  allowedUnlisted(): string[] {
    if (!this.current) return [];
    const { copy } = this.catalog;
    return [...this.policy.all].filter(([id, enabled]) => enabled && copy?.has(id) !== true).map(([id]) => id);
  }

  /** Called after each change of catalog, policy or verdicts; the registry stays as it was at the start. */
  onChange(listener: () => void): void {
    this.catalog.onChange(listener);
    this.policy.onChange(listener);
    this.probes.onChange(listener);
  }
}

/** Reads anew what this module holds in memory, where an operator has asked for it (D12). */
@Injectable()
export class ModelPolicyPurge {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly policy: PolicyService,
    private readonly verdicts: ProbeVerdicts,
  ) {}

  /** Asks the upstream, for every process. False: it could not be asked, and the last good list stays. */
  refreshCatalog(): Promise<boolean> {
    return this.catalog.refresh();
  }

  /** Policy and verdicts, for this process. */
  async readPolicy(): Promise<void> {
    await Promise.all([this.policy.refresh(), this.verdicts.refresh()]);
  }
}
