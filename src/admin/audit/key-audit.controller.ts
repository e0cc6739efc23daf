import { Get } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.read-model.js';
import { KeysService } from '../../keys/keys.service.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { KeyId, UNKNOWN_KEY } from '../api-keys/key-id.decorator.js';
import { KeyAuditRequest, keyAuditFilterOf } from './audit-logs.request.dto.js';
import { KeyAuditResponse } from './audit-logs.response.dto.js';

/** Who changed one key. */
@AdminController('api-keys')
export class KeyAuditController {
  constructor(
    private readonly keys: KeysService,
    private readonly trail: AuditTrail,
  ) {}

  @Get(':id/audit')
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'List changes of a key', type: KeyAuditResponse, notFound: UNKNOWN_KEY })
  async list(@KeyId() id: string, @AdminQuery(KeyAuditRequest) query: KeyAuditRequest) {
    const key = await this.keys.get(id);
    return KeyAuditResponse.of(await this.trail.list(keyAuditFilterOf(key.id, query), query), query.offset);
  }
}
