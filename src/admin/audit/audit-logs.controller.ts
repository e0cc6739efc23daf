import { Get } from '@nestjs/common';
import { AuditLogReadModel } from '../../audit/audit-log.read-model.js';
import { KeysService } from '../../keys/keys.service.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { KeyId, UNKNOWN_KEY } from '../id.pipes.js';
import {
  auditQueryOf,
  keyAuditQueryOf,
  KeyAuditRequest,
  ListAuditLogsRequest,
  AuditLogListResponse,
  KeyAuditResponse,
} from './audit-logs.dto.js';

@AdminController('audit-logs')
export class AuditLogsController {
  constructor(private readonly auditLog: AuditLogReadModel) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List audit log entries', type: AuditLogListResponse })
  async list(@ValidQuery(ListAuditLogsRequest) query: ListAuditLogsRequest) {
    return AuditLogListResponse.of(await this.auditLog.list(auditQueryOf(query)));
  }
}

@AdminController('api-keys')
export class KeyAuditController {
  constructor(
    private readonly keys: KeysService,
    private readonly auditLog: AuditLogReadModel,
  ) {}

  @Get(':id/audit')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'List the audit log entries of a key', type: KeyAuditResponse, notFound: UNKNOWN_KEY })
  async list(@KeyId() id: string, @ValidQuery(KeyAuditRequest) query: KeyAuditRequest) {
    return KeyAuditResponse.of(await this.auditLog.list(keyAuditQueryOf(await this.keys.get(id), query)), query.offset);
  }
}
