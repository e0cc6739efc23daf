import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiSecurity } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Context, ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { OperationDoc } from '../operation.doc.js';
import { betasAsHeader } from './betas.js';
import { MessageRequest } from './message.request.dto.js';
import { Message, MessageStreamEvent } from './message.response.dto.js';

const VERSION = {
  name: 'anthropic-version',
  required: false,
  description: 'Version of the format, sent on; 2023-06-01 where it is left out.',
  schema: { type: 'string', example: '2023-06-01' },
} as const;

const BETA = {
  name: 'anthropic-beta',
  required: false,
  description: 'Beta features, separated by commas; those of `betas` in the body are added.',
  schema: { type: 'string' },
} as const;

@Controller('v1/messages')
export class MessagesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/messages', body: 'json', model: 'gated', usage: 'messages', upstream: 'messages' })
  @ApiSecurity('x_api_key')
  @ApiHeader(BETA)
  @ApiHeader(VERSION)
  @OperationDoc({
    ...{ tag: 'messages', id: 'createMessage', summary: 'Ask a chat model in the messages format' },
    takes: MessageRequest,
    gives: { 'application/json': Message, 'text/event-stream': MessageStreamEvent },
    answer: 'The message; with `stream: true` named server-sent events from `message_start` to `message_stop`.',
  })
  create(
    @ValidRequest(MessageRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply, betasAsHeader(ctx, request.headers));
  }

  @Get(':message_id')
  @GatewayRoute({ endpoint: '/v1/messages/{message_id}', upstream: 'messages', notIds: ['batches', 'count_tokens'] })
  @ApiSecurity('x_api_key')
  @ApiHeader(VERSION)
  @OperationDoc({
    ...{ tag: 'messages', id: 'getMessage', summary: 'Read a message again', pathIds: ['message_id'] },
    gives: { 'application/json': { type: 'object', additionalProperties: true } },
    answer: 'What the upstream answers.',
  })
  find(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
