import { Get } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.read-model.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { auditFilterOf, ListAuditLogsRequest } from './audit-logs.request.dto.js';
import { AuditLogListResponse } from './audit-logs.response.dto.js';

/** Who changed what, over everything (D18). */
@AdminController('audit-logs')
export class AuditLogsController {
  constructor(private readonly trail: AuditTrail) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'List changes', type: AuditLogListResponse })
  async list(@AdminQuery(ListAuditLogsRequest) query: ListAuditLogsRequest) {
    return AuditLogListResponse.of(await this.trail.list(auditFilterOf(query), query));
  }
}
