import { Module } from '@nestjs/common';
import { QuotaModule } from '../quota/quota.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { LimitsModule } from '../quota/limits/limits.module.js';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { RoutingModule } from '../upstream/routing/routing.module.js';
import { StatsModule } from '../stats/stats.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { SpeechController, TranscriptionsController } from './audio/audio.controller.js';
import { ChatCompletionsController } from './chat/chat-completions.controller.js';
import { CompletionEmulation } from './completions/completion-emulation.service.js';
import { CompletionsController } from './completions/completions.controller.js';
import { EmbeddingsController } from './embeddings/embeddings.controller.js';
import { ForwardService } from './forward.service.js';
import { ImagesController } from './images/images.controller.js';
import { KeyUsageController } from './key-usage/key-usage.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { ModelListBytes } from './models/model-list-bytes.service.js';
import { ModelsController } from './models/models.controller.js';
import { BatchFileCheck } from './pass-through/batch-file-check.service.js';
import { StoredModelCheck } from './pass-through/stored-model-check.service.js';
import { PassThroughController } from './pass-through/pass-through.controller.js';
import { ResponsesController } from './responses/responses.controller.js';
import { TokenEstimator } from './metering/estimate/token-estimator.service.js';

/**
 * The routes under `/v1`, one folder per family. A route declares its properties with `@GatewayRoute`, and the pipeline
 * authenticates and admits its requests. If the upstream fails, the client receives 502. If the response headers were already
 * sent, the connection is closed.
 */
@Module({
  imports: [KeysModule, LimitsModule, ModelPolicyModule, QuotaModule, RoutingModule, StatsModule, UpstreamModule],
  controllers: [
    ChatCompletionsController,
    CompletionsController,
    EmbeddingsController,
    ModelsController,
    MessagesController,
    ResponsesController,
    SpeechController,
    TranscriptionsController,
    ImagesController,
    PassThroughController,
    KeyUsageController,
  ],
  providers: [ForwardService, TokenEstimator, ModelListBytes, CompletionEmulation, BatchFileCheck, StoredModelCheck],
})
export class ProxyModule {}
