import { Readable } from 'node:stream';
import { Get, StreamableFile } from '@nestjs/common';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { CostReads } from './cost-reads.service.js';
import { CostsRequest, CostFilterRequest } from './costs.request.dto.js';
import { CostsResponse } from './costs.response.dto.js';

const CSV = 'text/csv; charset=utf-8';

@AdminController('costs')
export class CostsController {
  constructor(private readonly costs: CostReads) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get costs by day, key, model, endpoint or provider', type: CostsResponse })
  async read(@ValidQuery(CostsRequest) query: CostsRequest) {
    return query.format === 'csv'
      ? new StreamableFile(Buffer.from(await this.costs.csv(query)), csvFile('costs.csv'))
      : this.costs.report(query);
  }

  @Get('focus')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Export costs as CSV in the format of FOCUS 1.2' })
  async focus(@ValidQuery(CostFilterRequest) query: CostFilterRequest) {
    return new StreamableFile(Readable.from(await this.costs.focus(query)), csvFile('costs-focus-1.2.csv'));
  }
}

const csvFile = (name: string) => ({ type: CSV, disposition: `attachment; filename="${name}"` });
