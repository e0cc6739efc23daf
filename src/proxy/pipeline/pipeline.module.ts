import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { LifecycleModule } from '../../platform/lifecycle.js';
import { RequestLimitsModule } from '../../quota/limits/request-limits.module.js';
import { ModelPolicyModule } from '../../model-policy/model-policy.module.js';
import { QuotaModule } from '../../quota/quota.module.js';
import { StatsModule } from '../../stats/stats.module.js';
import { TelemetryModule } from '../../platform/telemetry/telemetry.module.js';
import { ResponseHead, ResponseHeadersInterceptor } from './response-headers.interceptor.js';
import { BodyMemory } from '../../platform/fairness/body-memory.js';
import { ParseQueue } from '../../platform/fairness/parse-queue.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { MissingRoutes } from './missing-route.js';
import { RefusalRecheck } from './refusal-recheck.service.js';
import { RequestEndHook } from './request.hooks.js';
import { STAGES } from './stages.js';

/**
 * Runs every request through the same stages. It is separate from `proxy/`, so that no route can skip a stage. A stage that
 * fails rejects the request (503).
 */
@Module({
  imports: [
    AuthModule,
    KeysModule,
    LifecycleModule,
    ModelPolicyModule,
    QuotaModule,
    RequestLimitsModule,
    StatsModule,
    TelemetryModule,
  ],
  providers: [
    ...STAGES,
    ResponseHeadersInterceptor,
    ErrorEnvelopeFilter,
    RequestEndHook,
    ResponseHead,
    BodyMemory,
    MissingRoutes,
    ParseQueue,
    RefusalRecheck,
  ],
})
export class PipelineModule {}
