import { Get } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { RequestErrorReports } from '../../stats/reports/request-errors.read-model.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { usageRangeOf } from '../usage/usage.dto.js';
import { requestErrorFilterOf, RequestErrorsRequest, RequestErrorsResponse } from './request-errors.dto.js';

@AdminController('request-errors')
export class RequestErrorsController {
  constructor(
    private readonly reports: RequestErrorReports,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Count failed requests by error code, key, team and day', type: RequestErrorsResponse })
  async read(@ValidQuery(RequestErrorsRequest) query: RequestErrorsRequest) {
    const range = usageRangeOf(query, this.clock.now());
    return RequestErrorsResponse.of(range, await this.reports.read(range, requestErrorFilterOf(query)));
  }
}
