import { Delete, Get, Param, Post } from '@nestjs/common';
import { MissingPrices } from '../../costs/missing-prices.read-model.js';
import { OperatorPrices } from '../../costs/operator-prices.service.js';
import { PriceExplanation } from '../../costs/price-explanation.service.js';
import { PriceListEditions } from '../../costs/price-list-editions.service.js';
import { RecomputeCosts } from '../../costs/recompute-costs.service.js';
import type { AdminActor } from '../../platform/request-context/caller-session.js';
import { UncheckedBody, ValidBody, ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { Actor, AdminController, Responds } from '../admin.decorators.js';
import { PageRequest } from '../page.dto.js';
import { UuidPipe } from '../id.pipes.js';
import { CreatePriceRequest, ImportPricesRequest } from './price.request.dto.js';
import {
  ListPricesRequest,
  LookUpPriceRequest,
  RecomputeRequest,
  lookupOf,
  recomputeFilterOf,
} from './price-query.request.dto.js';
import { MissingPriceListResponse, RecomputedResponse } from './missing-price.dto.js';
import {
  ImportedPricesResponse,
  LookedUpPriceResponse,
  PriceListResponse,
  PriceResponse,
} from './price.response.dto.js';
import { AdminPrices } from './admin-prices.service.js';
import { publishedQueryOf, PublishedPricesRequest, PublishedPricesResponse } from './published-price.dto.js';
import { DeletedResourceResponse } from '../deleted.dto.js';

@AdminController('prices')
export class PricesController {
  constructor(
    private readonly adminPrices: AdminPrices,
    private readonly operatorPrices: OperatorPrices,
    private readonly lookup: PriceExplanation,
    private readonly missingPrices: MissingPrices,
    private readonly recomputation: RecomputeCosts,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the prices that operators set', type: PriceListResponse })
  list(@ValidQuery(ListPricesRequest) query: ListPricesRequest) {
    return this.adminPrices.list(query);
  }

  @Get('lookup')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, {
    summary: 'Show which price applies to a model',
    type: LookedUpPriceResponse,
    notFound: 'the model has no price.',
  })
  find(@ValidQuery(LookUpPriceRequest) query: LookUpPriceRequest) {
    return LookedUpPriceResponse.of(this.lookup.find(lookupOf(query)));
  }

  @Get('missing')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List models that were used without a price', type: MissingPriceListResponse })
  async missing(@ValidQuery(PageRequest) query: PageRequest) {
    const [page, backfilled] = await Promise.all([this.missingPrices.list(query), this.missingPrices.backfilled()]);
    return MissingPriceListResponse.of(page, backfilled, query.offset);
  }

  @Post()
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Set a price', type: PriceResponse })
  create(@UncheckedBody(CreatePriceRequest) body: object, @Actor() actor: AdminActor) {
    return this.adminPrices.create(body, actor);
  }

  @Post('import')
  @AdminRoute({ role: 'admin' })
  @Responds(201, { summary: 'Set several prices, all or none', type: ImportedPricesResponse })
  import(@UncheckedBody(ImportPricesRequest) body: object, @Actor() actor: AdminActor) {
    return this.adminPrices.import(body, actor);
  }

  @Post('recompute')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Price past requests that had no price', type: RecomputedResponse })
  async recompute(@ValidBody(RecomputeRequest) body: RecomputeRequest, @Actor() actor: AdminActor) {
    return RecomputedResponse.of(await this.recomputation.run(recomputeFilterOf(body), actor));
  }

  @Delete(':id')
  @AdminRoute({ role: 'admin' })
  @Responds(200, { summary: 'Delete a price', type: DeletedResourceResponse, notFound: 'no price has this ID.' })
  async remove(@Param('id', new UuidPipe('Price not found')) id: string, @Actor() actor: AdminActor) {
    await this.operatorPrices.delete(id, actor);
    return { id, deleted: true } satisfies DeletedResourceResponse;
  }
}

@AdminController('prices/list')
export class PublishedPricesController {
  constructor(private readonly published: PriceListEditions) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the published prices of this or an earlier release', type: PublishedPricesResponse })
  async list(@ValidQuery(PublishedPricesRequest) query: PublishedPricesRequest) {
    return PublishedPricesResponse.of(await this.published.list(publishedQueryOf(query)), query.offset);
  }
}
