import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Context, ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ForwardService } from '../forward.service.js';
import { MessageDoc, StoredMessageDoc } from './message.doc.js';
import { messagePlan } from './message.plan.js';
import { MessageRequest } from './message.request.dto.js';

@Controller('v1/messages')
export class MessagesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/messages', body: 'json', model: 'gated', usage: 'messages', upstream: 'messages' })
  @MessageDoc()
  create(
    @ValidRequest(MessageRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply, messagePlan(ctx, request.headers));
  }

  @Get(':message_id')
  @GatewayRoute({ endpoint: '/v1/messages/{message_id}', upstream: 'messages' })
  @StoredMessageDoc()
  find(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
