import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ForwardService } from '../forward.service.js';
import { ImageEditRequest } from './image-edit.request.dto.js';
import { ImageGenerationRequest } from './image-generation.request.dto.js';
import { ImageEditDoc, ImageGenerationDoc } from './images.doc.js';

@Controller('v1/images')
export class ImagesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post('generations')
  @GatewayRoute({ endpoint: '/v1/images/generations', body: 'json', model: 'gated', usage: 'media' })
  @ImageGenerationDoc()
  generate(
    @ValidRequest(ImageGenerationRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }

  @Post('edits')
  @GatewayRoute({ endpoint: '/v1/images/edits', body: 'multipart', model: 'defaulted', usage: 'media' })
  @ImageEditDoc()
  edit(
    @ValidRequest(ImageEditRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
