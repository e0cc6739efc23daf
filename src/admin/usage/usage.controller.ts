import { Get } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { KeysService } from '../../keys/keys.service.js';
import { ValidQuery } from '../../platform/request-context/context.decorator.js';
import { AdminRoute } from '../../platform/routes/route-spec.js';
import { UsageReports } from '../../stats/reports/usage-reports.read-model.js';
import { AdminController, Responds } from '../admin.decorators.js';
import { KeyId, UNKNOWN_KEY } from '../id.pipes.js';
import {
  keyUsageQueryOf,
  KeyUsageRequest,
  usageRangeOf,
  UsageRequest,
  KeyUsageResponse,
  UsageResponse,
} from './usage.dto.js';

@AdminController('usage')
export class UsageController {
  constructor(
    private readonly reports: UsageReports,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get usage by day, key and model', type: UsageResponse })
  async read(@ValidQuery(UsageRequest) query: UsageRequest) {
    const range = usageRangeOf(query, this.clock.now());
    return UsageResponse.of(range, await this.reports.summary(range, query.key_id ?? null));
  }
}

@AdminController('api-keys')
export class KeyUsageHistoryController {
  constructor(
    private readonly keys: KeysService,
    private readonly reports: UsageReports,
  ) {}

  @Get(':id/usage')
  @AdminRoute({ role: 'viewer' })
  @Responds(200, { summary: 'Get the usage of a key by day and month', type: KeyUsageResponse, notFound: UNKNOWN_KEY })
  async read(@KeyId() id: string, @ValidQuery(KeyUsageRequest) query: KeyUsageRequest) {
    const key = await this.keys.get(id);
    const { usage, costs } = await this.reports.history(key.id, keyUsageQueryOf(query));
    return KeyUsageResponse.of(key.id, usage, costs);
  }
}
