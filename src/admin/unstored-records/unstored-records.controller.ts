import { Get } from '@nestjs/common';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { UnstoredRecords } from '../../stats/reports/unstored-records.read-model.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { ListUnstoredRecordsRequest, UnstoredRecordListResponse } from './unstored-records.dto.js';

@AdminController('unstored-records')
export class UnstoredRecordsController {
  constructor(private readonly records: UnstoredRecords) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List records that could not be stored, newest first', type: UnstoredRecordListResponse })
  async list(@ValidQuery(ListUnstoredRecordsRequest) query: ListUnstoredRecordsRequest) {
    return UnstoredRecordListResponse.of(await this.records.list(query), query.offset);
  }
}
