import { Get } from '@nestjs/common';
import { Clock } from '../../clock/clock.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { Usage } from '../../stats/reports/usage.read-model.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { UsageRequest, usageRangeOf } from './usage.request.dto.js';
import { UsageResponse } from './usage.response.dto.js';

/** What has been used, by day, key and model (D17). */
@AdminController('usage')
export class UsageController {
  constructor(
    private readonly usage: Usage,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Read requests and tokens of some days', type: UsageResponse })
  async read(@AdminQuery(UsageRequest) query: UsageRequest) {
    const range = usageRangeOf(query, this.clock.now());
    return UsageResponse.of(range, await this.usage.summary(range, query.key_id ?? null));
  }
}
