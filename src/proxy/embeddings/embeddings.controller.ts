import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { OperationDoc } from '../operation.doc.js';
import { EmbeddingRequest, EmbeddingList } from './embedding.dto.js';

@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({ endpoint: '/v1/embeddings', body: 'json', model: 'gated', usage: 'embeddings' })
  @OperationDoc({
    tag: 'embeddings',
    id: 'createEmbedding',
    summary: 'Create embeddings',
    takes: EmbeddingRequest,
    gives: { 'application/json': EmbeddingList },
    response: 'One vector for each text, in input order.',
  })
  create(
    @ValidRequest(EmbeddingRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
