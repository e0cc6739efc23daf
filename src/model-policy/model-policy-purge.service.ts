import { Injectable } from '@nestjs/common';
import { ModelCatalog } from './catalog.service.js';
import { PolicyService } from './policy.service.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';

/** Reads the catalog, the policy and the probe verdicts again when an operator purges the caches. */
@Injectable()
export class ModelPolicyPurge {
  constructor(
    private readonly catalog: ModelCatalog,
    private readonly policy: PolicyService,
    private readonly verdicts: ProbeVerdicts,
  ) {}

  /** Fetches the catalog for all processes. Resolves with false on failure; the last good list then stays in use. */
  refreshCatalog(): Promise<boolean> {
    return this.catalog.refresh();
  }

  async readPolicy(): Promise<void> {
    await Promise.all([this.policy.refresh(), this.verdicts.refresh()]);
  }
}
