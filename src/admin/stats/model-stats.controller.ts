import { Get } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { StatisticsReadModel } from '../../stats/aggregates/statistics.read-model.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { statisticsQueryOf, TokenStatsRequest } from './statistics.request.dto.js';
import { ModelStatsResponse } from './statistics.response.dto.js';

/** How the models are used (D15). Requests that name none are in no row. */
@AdminController('model-stats')
export class ModelStatsController {
  constructor(
    private readonly statistics: StatisticsReadModel,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Rank models', type: ModelStatsResponse })
  async list(@AdminQuery(TokenStatsRequest) query: TokenStatsRequest) {
    return ModelStatsResponse.of(await this.statistics.rank('model', statisticsQueryOf(query, this.clock.now())));
  }
}
