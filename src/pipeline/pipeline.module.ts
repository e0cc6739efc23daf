import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { LifecycleModule } from '../lifecycle/lifecycle.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { QuotaModule } from '../quota/quota.module.js';
import { RefusalConfirmation } from '../request-context/refusal-confirmation.js';
import { StatsModule } from '../stats/stats.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { AnswerHead } from './answer-head.js';
import { BodyMemory } from './body/body-memory.js';
import { ParseTurns } from './body/parse-turns.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { MissingRoutes } from './missing-route.js';
import { Reevaluation } from './reevaluation.service.js';
import { RequestRecordHook } from './request-record.hook.js';
import { ResponseHeadersInterceptor } from './response-headers.interceptor.js';
import { STAGES } from './stages.js';

/**
 * Puts every request through the same stages, and every answer out with the same headers and envelope.
 * Apart from `proxy/`, so that no route can leave a stage out. A stage that cannot be carried out refuses (503).
 */
@Module({
  imports: [AuthModule, KeysModule, LifecycleModule, ModelPolicyModule, QuotaModule, StatsModule, TelemetryModule],
  providers: [
    ...STAGES, // made here, not in the modules that they come from: those of stages 3 to 5 ask Reevaluation below
    ...[ResponseHeadersInterceptor, ErrorEnvelopeFilter, RequestRecordHook],
    ...[AnswerHead, BodyMemory, MissingRoutes, ParseTurns, Reevaluation],
    { provide: RefusalConfirmation, useExisting: Reevaluation },
  ],
})
export class PipelineModule {}
