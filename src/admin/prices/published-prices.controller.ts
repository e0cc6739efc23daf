import { Get } from '@nestjs/common';
import { PublishedPrices } from '../../costs/published-prices.service.js';
import { ValidQuery } from '../../request-context/operator-input.decorators.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { publishedQueryOf, PublishedPricesRequest, PublishedPricesResponse } from './published-price.dto.js';

@AdminController('prices/list')
export class PublishedPricesController {
  constructor(private readonly published: PublishedPrices) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the published prices of this or an earlier release', type: PublishedPricesResponse })
  async list(@ValidQuery(PublishedPricesRequest) query: PublishedPricesRequest) {
    return PublishedPricesResponse.of(await this.published.list(publishedQueryOf(query)), query.offset);
  }
}
