import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { OperationDoc } from '../operation.doc.js';
import { CompletionEmulation } from './completion-emulation.service.js';
import { CompletionRequest, Completion } from './completion.dto.js';

@Controller('v1/completions')
export class CompletionsController {
  constructor(
    private readonly forwarder: ForwardService,
    private readonly emulation: CompletionEmulation,
  ) {}

  @Post()
  @GatewayRoute({
    endpoint: '/v1/completions',
    body: 'json',
    model: 'gated',
    usage: 'completions',
  })
  @OperationDoc({
    tag: 'completions',
    id: 'createCompletion',
    summary: 'Create a text completion',
    takes: CompletionRequest,
    description:
      'A native completion is forwarded unchanged. An emulated completion uses a chat completion, and rejects some fields. The `completions` setting of the upstream selects one of them. Completions of base models are always native.',
    gives: { 'application/json': Completion, 'text/event-stream': Completion },
    response: 'The completion. `stream: true` returns one server-sent event per chunk, then `data: [DONE]`.',
  })
  create(
    @ValidRequest(CompletionRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply, this.emulation.planOf(ctx, request.raw.url ?? ''));
  }
}
