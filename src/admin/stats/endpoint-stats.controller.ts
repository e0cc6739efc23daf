import { Get } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { StatisticsReadModel } from '../../stats/aggregates/statistics.read-model.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { EndpointStatsRequest, statisticsQueryOf } from './statistics.request.dto.js';
import { EndpointStatsResponse } from './statistics.response.dto.js';

/** How the routes under /v1 are used (D15). */
@AdminController('endpoint-stats')
export class EndpointStatsController {
  constructor(
    private readonly statistics: StatisticsReadModel,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Rank endpoints', type: EndpointStatsResponse })
  async list(@AdminQuery(EndpointStatsRequest) query: EndpointStatsRequest) {
    return EndpointStatsResponse.of(await this.statistics.rank('endpoint', statisticsQueryOf(query, this.clock.now())));
  }
}
