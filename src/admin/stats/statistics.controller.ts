import { Get } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { StatisticsReadModel } from '../../stats/aggregates/statistics.read-model.js';
import { AdminController, Responds } from '../admin.decorators.js';
import {
  EndpointStatsRequest,
  statisticsQueryOf,
  TokenStatsRequest,
  EndpointStatsResponse,
  KeyStatsResponse,
  ModelStatsResponse,
} from './statistics.dto.js';

@AdminController('endpoint-stats')
export class EndpointStatsController {
  constructor(
    private readonly statistics: StatisticsReadModel,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Rank endpoints', type: EndpointStatsResponse })
  async list(@ValidQuery(EndpointStatsRequest) query: EndpointStatsRequest) {
    return EndpointStatsResponse.of(await this.statistics.rank('endpoint', statisticsQueryOf(query, this.clock.now())));
  }
}

@AdminController('key-stats')
export class KeyStatsController {
  constructor(
    private readonly statistics: StatisticsReadModel,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Rank keys', type: KeyStatsResponse })
  async list(@ValidQuery(TokenStatsRequest) query: TokenStatsRequest) {
    return KeyStatsResponse.of(await this.statistics.rankKeys(statisticsQueryOf(query, this.clock.now())));
  }
}

/** Requests without a model are excluded (D15). */
@AdminController('model-stats')
export class ModelStatsController {
  constructor(
    private readonly statistics: StatisticsReadModel,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Rank models', type: ModelStatsResponse })
  async list(@ValidQuery(TokenStatsRequest) query: TokenStatsRequest) {
    return ModelStatsResponse.of(await this.statistics.rank('model', statisticsQueryOf(query, this.clock.now())));
  }
}
