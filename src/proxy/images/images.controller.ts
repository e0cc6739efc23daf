import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { FORM_TYPE, OperationDoc, TEXT } from '../operation.doc.js';
import { ImageEditRequest, ImageGenerationRequest, ImagesResult } from './images.dto.js';

const RESPONSES = {
  gives: { 'application/json': ImagesResult, 'text/event-stream': TEXT },
  response: 'The images. `stream: true` returns server-sent events.',
} as const;

@Controller('v1/images')
export class ImagesController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post('generations')
  @GatewayRoute({
    endpoint: '/v1/images/generations',
    body: 'json',
    model: 'gated',
    usage: 'media',
  })
  @OperationDoc({
    tag: 'images',
    id: 'createImage',
    summary: 'Generate images',
    takes: ImageGenerationRequest,
    ...RESPONSES,
  })
  generate(
    @ValidRequest(ImageGenerationRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }

  @Post('edits')
  @GatewayRoute({
    endpoint: '/v1/images/edits',
    body: 'multipart',
    model: 'defaulted',
    usage: 'media',
  })
  @OperationDoc({
    tag: 'images',
    id: 'createImageEdit',
    summary: 'Edit images',
    takes: ImageEditRequest,
    types: [FORM_TYPE],
    ...RESPONSES,
  })
  edit(
    @ValidRequest(ImageEditRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
