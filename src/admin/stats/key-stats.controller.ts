import { Get } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { StatisticsReadModel } from '../../stats/aggregates/statistics.read-model.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { statisticsQueryOf, TokenStatsRequest } from './statistics.request.dto.js';
import { KeyStatsResponse } from './statistics.response.dto.js';

/** What the API keys are used for (D15). */
@AdminController('key-stats')
export class KeyStatsController {
  constructor(
    private readonly statistics: StatisticsReadModel,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Rank keys', type: KeyStatsResponse })
  async list(@AdminQuery(TokenStatsRequest) query: TokenStatsRequest) {
    return KeyStatsResponse.of(await this.statistics.rankKeys(statisticsQueryOf(query, this.clock.now())));
  }
}
