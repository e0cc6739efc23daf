import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ModelEntry, ModelList } from '../../model-policy/model-list.service.js';
import { Config } from '../../platform/config/config.js';
import { isAnthropicClient, RequestContext } from '../../platform/request-context/request-context.js';
import { Context } from '../../platform/request-context/context.decorator.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { OperationDoc } from '../operation.doc.js';
import { anthropicModel, type AnthropicModel, ModelListBytes } from './model-list-bytes.service.js';
import { ListModelsRequest, ModelsQueryPipe, ModelEntryResponse, ModelListResponse } from './models.dto.js';

const JSON_TYPE = 'application/json; charset=utf-8';

@Controller('v1/models')
export class ModelsController {
  constructor(
    private readonly models: ModelList,
    private readonly listing: ModelListBytes,
    private readonly config: Config,
  ) {}

  @Get()
  @GatewayRoute({ endpoint: '/v1/models' })
  @OperationDoc({
    tag: 'models',
    id: 'listModels',
    summary: 'List models',
    gives: { 'application/json': ModelListResponse },
    response: 'The models that the API key can see.',
  })
  async list(
    @Context() { key }: RequestContext,
    @Query(ModelsQueryPipe) query: ListModelsRequest,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const bytes = await this.listing.of(key!, query, this.isAnthropicClient(request));
    void reply.type(JSON_TYPE).send(bytes);
  }

  /** A model ID can contain slashes, plain or percent-encoded (D8). */
  @Get('*')
  @GatewayRoute({ endpoint: '/v1/models/{model}' })
  @OperationDoc({
    tag: 'models',
    id: 'retrieveModel',
    summary: 'Retrieve a model',
    gives: { 'application/json': ModelEntryResponse },
  })
  async find(
    @Context() { key }: RequestContext,
    @Param('*') model: string,
    @Req() request: FastifyRequest,
  ): Promise<ModelEntry | AnthropicModel> {
    const entry = await this.models.find(model, key!);
    return this.isAnthropicClient(request) ? anthropicModel(entry, this.models.rowOf(model)) : entry;
  }

  private isAnthropicClient({ raw }: FastifyRequest): boolean {
    return this.config.isCurrentProfile && isAnthropicClient(raw);
  }
}
