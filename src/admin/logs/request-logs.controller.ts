import { Get } from '@nestjs/common';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { RequestLogs } from '../../stats/reports/request-logs.read-model.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { ListRequestLogsRequest, requestLogFilterOf, RequestLogListResponse } from './request-logs.dto.js';

@AdminController('request-logs')
export class RequestLogsController {
  constructor(private readonly logs: RequestLogs) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List sampled requests, or find a request by its ID', type: RequestLogListResponse })
  async list(@ValidQuery(ListRequestLogsRequest) query: ListRequestLogsRequest) {
    return RequestLogListResponse.of(await this.logs.list(requestLogFilterOf(query), query), query.offset);
  }
}
