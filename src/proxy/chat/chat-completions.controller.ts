import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { OperationDoc } from '../operation.doc.js';
import { ChatCompletionRequest, ChatCompletion, ChatCompletionChunk } from './chat-completion.dto.js';

@Controller('v1/chat/completions')
export class ChatCompletionsController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({
    endpoint: '/v1/chat/completions',
    body: 'json',
    model: 'gated',
    usage: 'chat',
  })
  @OperationDoc({
    tag: 'chat',
    id: 'createChatCompletion',
    summary: 'Create a chat completion',
    takes: ChatCompletionRequest,
    gives: { 'application/json': ChatCompletion, 'text/event-stream': ChatCompletionChunk },
    response: 'The completion. `stream: true` returns one server-sent event per chunk, then `data: [DONE]`.',
  })
  create(
    @ValidRequest(ChatCompletionRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
