import { Get } from '@nestjs/common';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { csvDownload } from '../csv-download.js';
import { RequestReads } from './request-reads.service.js';
import { ListRequestsRequest, RequestListResponse } from './requests.dto.js';

@AdminController('requests')
export class RequestsController {
  constructor(private readonly requests: RequestReads) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, {
    summary: 'List kept requests: the sample and recent failures',
    type: RequestListResponse,
    csv: true,
  })
  async list(@ValidQuery(ListRequestsRequest) query: ListRequestsRequest) {
    return query.format === 'csv'
      ? csvDownload(await this.requests.csv(query), 'requests.csv')
      : this.requests.page(query);
  }
}
