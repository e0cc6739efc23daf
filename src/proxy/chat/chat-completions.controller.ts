import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ForwardService } from '../forward.service.js';
import { ChatCompletionRequest } from './chat-completion.request.dto.js';
import { ChatCompletionDoc } from './chat-completion.doc.js';

@Controller('v1/chat/completions')
export class ChatCompletionsController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/chat/completions', body: 'json', model: 'gated', usage: 'chat' })
  @ChatCompletionDoc()
  create(
    @ValidRequest(ChatCompletionRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
