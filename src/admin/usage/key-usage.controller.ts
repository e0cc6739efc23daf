import { Get } from '@nestjs/common';
import { KeysService } from '../../keys/keys.service.js';
import { AdminRoute } from '../../routes/route-spec.js';
import { KeyUsage } from '../../stats/reports/usage.read-model.js';
import { AdminController } from '../admin-controller.decorator.js';
import { AdminQuery } from '../admin-query.pipe.js';
import { Answers } from '../answers.decorator.js';
import { KeyId, UNKNOWN_KEY } from '../api-keys/key-id.decorator.js';
import { KeyUsageRequest, keyUsageQueryOf } from './usage.request.dto.js';
import { KeyUsageResponse } from './usage.response.dto.js';

/** What one key has used, by day and by month (D17). */
@AdminController('api-keys')
export class KeyUsageHistoryController {
  constructor(
    private readonly keys: KeysService,
    private readonly usage: KeyUsage,
  ) {}

  @Get(':id/usage')
  @AdminRoute({ role: 'viewer' })
  @Answers(200, { summary: 'Read the usage of a key', type: KeyUsageResponse, notFound: UNKNOWN_KEY })
  async read(@KeyId() id: string, @AdminQuery(KeyUsageRequest) query: KeyUsageRequest) {
    const key = await this.keys.get(id);
    return KeyUsageResponse.of(key.id, await this.usage.history(key.id, keyUsageQueryOf(query)));
  }
}
