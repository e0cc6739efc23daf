import { Module } from '@nestjs/common';
import { CostsModule } from '../../costs/costs.module.js';
import { ModelPolicyModule } from '../../model-policy/model-policy.module.js';
import { QuotaModule } from '../quota.module.js';
import { UpstreamModule } from '../../upstream/upstream.module.js';
import { ApplicableLimits } from './applicable-limits.service.js';
import { CostBounds } from './cost-bounds.service.js';
import { HiddenReasoning } from './estimate/hidden-reasoning.service.js';
import { LimitSettlement } from './limit-reservation.js';
import { LimitSet } from './limit-set.service.js';
import { LimitsModule } from './limits.module.js';
import { Outage } from '../outage.service.js';
import { RequestLimits } from './request-limits.service.js';

/**
 * Computes what a request reserves and settles under limits. It is separate from `LimitsModule`, because managing limits needs neither
 * upstreams nor prices. A request whose usage cannot be metered or priced is rejected before it costs anything.
 */
@Module({
  imports: [CostsModule, LimitsModule, ModelPolicyModule, QuotaModule, UpstreamModule],
  providers: [ApplicableLimits, CostBounds, HiddenReasoning, LimitSettlement, RequestLimits],
  exports: [RequestLimits],
})
export class RequestLimitsModule {
  /** `quota` keeps the figures of these limits in memory, in case the database becomes unavailable. */
  constructor(outage: Outage, set: LimitSet) {
    outage.refresh.setLimitsOfKeys(set);
  }
}
