import { Get } from '@nestjs/common';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { csvDownload } from '../csv-download.js';
import { CostReads } from './cost-reads.service.js';
import { CostsRequest, CostFilterRequest } from './costs.request.dto.js';
import { CostsResponse } from './costs.response.dto.js';

@AdminController('costs')
export class CostsController {
  constructor(private readonly costs: CostReads) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get costs by day, key, model, endpoint or provider', type: CostsResponse, csv: true })
  async read(@ValidQuery(CostsRequest) query: CostsRequest) {
    return query.format === 'csv' ? csvDownload(await this.costs.csv(query), 'costs.csv') : this.costs.report(query);
  }

  @Get('focus')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Export costs as CSV in the format of FOCUS 1.2', csv: true })
  async focus(@ValidQuery(CostFilterRequest) query: CostFilterRequest) {
    return csvDownload(await this.costs.focus(query), 'costs-focus-1.2.csv');
  }
}
