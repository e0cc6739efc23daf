import { Injectable } from '@nestjs/common';
import { ModelCatalog } from './catalog.service.js';
import { PolicyService } from './policy.service.js';
import { ProbeVerdicts } from './probe-verdicts.service.js';

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
