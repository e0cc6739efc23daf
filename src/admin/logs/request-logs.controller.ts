import { Get } from '@nestjs/common';
import { AdminRoute } from '../../routes/route-spec.js';
import { RequestLogs } from '../../stats/reports/request-logs.read-model.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { ListRequestLogsRequest, requestLogFilterOf } from './list-request-logs.request.dto.js';
import { RequestLogListResponse } from './request-logs.response.dto.js';

/** The sample of requests, and 'why was this one refused' (D15, D17). */
@AdminController('request-logs')
export class RequestLogsController {
  constructor(private readonly logs: RequestLogs) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'List sampled requests, or find one by its id', type: RequestLogListResponse })
  async list(@AdminQuery(ListRequestLogsRequest) query: ListRequestLogsRequest) {
    return RequestLogListResponse.of(await this.logs.list(requestLogFilterOf(query), query), query.offset);
  }
}
