import { Controller, Get, Param } from '@nestjs/common';
import { ModelList } from '../../model-policy/model-list.service.js';
import type { ModelEntry } from '../../model-policy/model-entry.js';
import { Context } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { ModelDoc, ModelListDoc } from './models.doc.js';

@Controller('v1/models')
export class ModelsController {
  constructor(private readonly models: ModelList) {}

  @Get()
  @GatewayRoute({ endpoint: '/v1/models' })
  @ModelListDoc()
  async list(@Context() { key }: RequestContext): Promise<{ object: 'list'; data: readonly ModelEntry[] }> {
    return { object: 'list', data: await this.models.entries(key!) };
  }

  /** An id may hold slashes, plain or percent-encoded (D8). */
  @Get('*')
  @GatewayRoute({ endpoint: '/v1/models/{model}' })
  @ModelDoc()
  find(@Context() { key }: RequestContext, @Param('*') model: string): Promise<ModelEntry> {
    return this.models.find(model, key!);
  }
}
