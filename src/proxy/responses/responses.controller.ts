import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Context, ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ForwardService } from '../forward.service.js';
import { refuseUnmeteredBackground } from './background.rules.js';
import { DeletedResponseDoc, ResponseDoc, StoredResponseDoc } from './response.doc.js';
import { ResponseRequest } from './response.request.dto.js';

@Controller('v1/responses')
export class ResponsesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/responses', body: 'json', model: 'gated', usage: 'responses' })
  @ResponseDoc()
  create(
    @ValidRequest(ResponseRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseUnmeteredBackground(ctx);
    return this.forwarder.forward(ctx, request, reply);
  }

  @Get(':id')
  @GatewayRoute({ endpoint: '/v1/responses/{id}' })
  @StoredResponseDoc()
  find(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }

  @Delete(':id')
  @GatewayRoute({ endpoint: '/v1/responses/{id}' })
  @DeletedResponseDoc()
  remove(@Context() ctx: RequestContext, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
