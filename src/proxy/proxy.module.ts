import { Module } from '@nestjs/common';
import { ModelPolicyModule } from '../model-policy/model-policy.module.js';
import { UpstreamModule } from '../upstream/upstream.module.js';
import { ChatCompletionsController } from './chat/chat-completions.controller.js';
import { ForwardService } from './forward.service.js';
import { KeyUsageController } from './key-usage/key-usage.controller.js';
import { ModelsController } from './models/models.controller.js';

/**
 * The edge under /v1: one folder a family of routes, each with its controller, request DTOs and rules; one way out, `ForwardService`.
 * A route declares what it is (`@GatewayRoute`) and the pipeline does the rest, so nothing here admits or refuses by key.
 * When the upstream fails the client gets 502, or a cut connection once the head has gone out.
 */
@Module({
  imports: [ModelPolicyModule, UpstreamModule],
  controllers: [ChatCompletionsController, ModelsController, KeyUsageController],
  providers: [ForwardService],
})
export class ProxyModule {}
