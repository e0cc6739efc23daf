import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ForwardService } from '../forward.service.js';
import { EmbeddingDoc } from './embedding.doc.js';
import { EmbeddingRequest } from './embedding.request.dto.js';

@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/embeddings', body: 'json', model: 'gated', usage: 'embeddings' })
  @EmbeddingDoc()
  create(
    @ValidRequest(EmbeddingRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
