import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Context, ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { OperationDoc } from '../operation.doc.js';
import { rejectUnmeteredBackground } from './background.rules.js';
import { ResponseRequest, DeletedResponse, ModelResponse, ResponseStreamEvent } from './response.dto.js';

@Controller('v1/responses')
export class ResponsesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/responses', body: 'json', model: 'gated', usage: 'responses' })
  @OperationDoc({
    tag: 'responses',
    id: 'createResponse',
    summary: 'Create a response',
    takes: ResponseRequest,
    gives: { 'application/json': ModelResponse, 'text/event-stream': ResponseStreamEvent },
    response: 'The response. `stream: true` returns server-sent events up to `response.completed`.',
  })
  create(
    @ValidRequest(ResponseRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    rejectUnmeteredBackground(ctx);
    return this.forwarder.forward(ctx, request, reply);
  }

  @Get(':id')
  @GatewayRoute({ endpoint: '/v1/responses/{id}', laterUsage: 'responses' })
  @OperationDoc({
    tag: 'responses',
    id: 'getResponse',
    summary: 'Retrieve a stored response',
    pathIds: ['id'],
    gives: { 'application/json': ModelResponse },
  })
  find(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }

  @Delete(':id')
  @GatewayRoute({ endpoint: '/v1/responses/{id}' })
  @OperationDoc({
    tag: 'responses',
    id: 'deleteResponse',
    summary: 'Delete a stored response',
    pathIds: ['id'],
    gives: { 'application/json': DeletedResponse },
  })
  remove(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
