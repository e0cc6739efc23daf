import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { serviceUnavailable } from '../platform/errors/error-factories.js';
import type { ModelState } from './availability.rules.js';
import { ModelCatalog } from './catalog.service.js';
import { ModelCache } from './model-cache.js';
import { PolicyService } from './policy.service.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';
import { ModelRegistry } from './registry/model-registry.js';

const START_TIMEOUT_MS = 2_000;

/** Combines the registry, the catalog, the policy and the probe verdicts into one state per model (D12). */
@Injectable()
export class ModelStates {
  /** A lookup in the registry takes about 6 µs. */
  private readonly cached = new ModelCache<ModelState>();

  constructor(
    private readonly registry: ModelRegistry,
    private readonly catalog: ModelCatalog,
    private readonly policy: PolicyService,
    private readonly probes: ProbeVerdicts,
    private readonly config: Config,
  ) {
    // Registered before the listeners of all callers of `of`, so that none of them reads an outdated state.
    this.onChange(() => this.cached.clear());
  }

  get isCurrentProfile(): boolean {
    return this.config.isCurrentProfile;
  }

  get policyKnown(): boolean {
    return this.policy.known;
  }

  /** True once policy and verdicts have been read and the catalog is settled. It never becomes false again. */
  get ready(): boolean {
    return this.policy.known && this.probes.known && this.catalog.settled;
  }

  /** Waits for `ready`, at most 2 s. @throws GatewayError `service_unavailable` if the policy is still unknown after that */
  async whenReady(): Promise<void> {
    if (this.ready) return;
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, START_TIMEOUT_MS);
    const known = [this.policy.whenKnown, this.probes.whenKnown, this.catalog.whenSettled];
    await Promise.race([Promise.all(known), timeout.promise]);
    clearTimeout(timer);
    if (!this.policy.known) throw serviceUnavailable(new Error('the model policy has not been read yet'));
  }

  /** Returns the state of any ID, even an unknown one. With `GW_PROFILE=current`, an allow entry lists a model (D12). */
  of(model: string): ModelState {
    const cached = this.cached.get(model);
    if (cached !== undefined) return cached;
    const state = this.read(model);
    this.cached.set(model, state);
    return state;
  }

  private read(model: string): ModelState {
    const { copy } = this.catalog;
    const row = copy?.get(model);
    const enabled = this.policy.of(model);
    return {
      listed: this.isListed(row !== undefined || (this.isCurrentProfile && enabled === true)),
      facts: this.registry.lookup(model, row?.owned_by),
      enabled,
      probe: this.probes.of(model)?.verdict,
    };
  }

  /** The models that the policy blocks. */
  blocked(): string[] {
    return [...this.policy.all].filter(([, enabled]) => !enabled).map(([model]) => model);
  }

  /** A list that has not been read yet could contain a model that the others do not. */
  private isListed(found: boolean): boolean | null {
    if (found) return this.catalog.copy === null ? null : true;
    return this.catalog.complete ? false : null;
  }

  /** With `GW_PROFILE=current`, a model that is allowed but unknown to the registry fits every route. */
  isVouchedFor({ facts, enabled }: ModelState): boolean {
    return this.isCurrentProfile && enabled === true && facts === null;
  }

  /** With `GW_PROFILE=current`, returns the allowed models that the catalog does not list. Otherwise returns none. */
  allowedUnlisted(): string[] {
    if (!this.isCurrentProfile) return [];
    const { copy } = this.catalog;
    return [...this.policy.all].filter(([id, enabled]) => enabled && copy?.has(id) !== true).map(([id]) => id);
  }

  onChange(listener: () => void): void {
    this.catalog.onChange(listener);
    this.policy.onChange(listener);
    this.probes.onChange(listener);
  }
}
