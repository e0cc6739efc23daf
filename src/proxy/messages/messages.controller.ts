import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiSecurity } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Context, ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { OperationDoc } from '../operation.doc.js';
import { MessageRequest, Message, MessageStreamEvent } from './message.dto.js';
import { betasAsHeader } from './betas-header.js';

const VERSION = {
  name: 'anthropic-version',
  required: false,
  description: 'API version. It is forwarded. Default: 2023-06-01.',
  schema: { type: 'string', example: '2023-06-01' },
} as const;

const BETA = {
  name: 'anthropic-beta',
  required: false,
  description: 'Beta features, separated by commas. The gateway adds those in the `betas` field.',
  schema: { type: 'string' },
} as const;

@Controller('v1/messages')
export class MessagesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/messages', body: 'json', model: 'gated', usage: 'messages', api: 'anthropic' })
  @ApiSecurity('x_api_key')
  @ApiHeader(BETA)
  @ApiHeader(VERSION)
  @OperationDoc({
    tag: 'messages',
    id: 'createMessage',
    summary: 'Create a message',
    takes: MessageRequest,
    gives: { 'application/json': Message, 'text/event-stream': MessageStreamEvent },
    response: 'The message. `stream: true` returns server-sent events from `message_start` to `message_stop`.',
  })
  create(
    @ValidRequest(MessageRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply, betasAsHeader(ctx, request.headers));
  }

  @Get(':message_id')
  @GatewayRoute({ endpoint: '/v1/messages/{message_id}', api: 'anthropic' })
  @ApiSecurity('x_api_key')
  @ApiHeader(VERSION)
  @OperationDoc({
    tag: 'messages',
    id: 'getMessage',
    summary: 'Retrieve a message',
    pathIds: ['message_id'],
    gives: { 'application/json': { type: 'object', additionalProperties: true } },
    response: "The upstream's response.",
  })
  find(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
