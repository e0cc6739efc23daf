import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ModelList } from '../../model-policy/model-list.service.js';
import type { ModelEntry } from '../../model-policy/model-entry.js';
import { Context } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ListModelsRequest } from './list-models.request.dto.js';
import { ModelListBytes } from './model-list-bytes.service.js';
import { ModelDoc, ModelListDoc } from './models.doc.js';
import { ModelsQueryPipe } from './models-query.pipe.js';

const JSON_TYPE = 'application/json; charset=utf-8';

@Controller('v1/models')
export class ModelsController {
  constructor(
    private readonly models: ModelList,
    private readonly listing: ModelListBytes,
  ) {}

  @Get()
  @GatewayRoute({ endpoint: '/v1/models' })
  @ModelListDoc()
  async list(
    @Context() { key }: RequestContext,
    @Query(new ModelsQueryPipe()) query: ListModelsRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const bytes = await this.listing.of(key!, query);
    void reply.type(JSON_TYPE).send(bytes);
  }

  /** An id may hold slashes, plain or percent-encoded (D8). */
  @Get('*')
  @GatewayRoute({ endpoint: '/v1/models/{model}' })
  @ModelDoc()
  find(@Context() { key }: RequestContext, @Param('*') model: string): Promise<ModelEntry> {
    return this.models.find(model, key!);
  }
}
