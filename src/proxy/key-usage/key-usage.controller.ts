import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../platform/clock.js';
import { KeysService } from '../../keys/keys.service.js';
import { LimitFiguresReads } from '../../quota/limits/limit-figures.read-model.js';
import { LimitSet } from '../../quota/limits/limit-set.service.js';
import { Outage } from '../../quota/outage.service.js';
import { Context } from '../../platform/request-context/context.decorator.js';
import type { KeySnapshot } from '../../platform/request-context/key-snapshot.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { LimitUsage, usageSnapshot, UsageSnapshot } from './key-usage.dto.js';

@ApiTags('usage')
@ApiBearerAuth('api_key')
@Controller('v1/usage')
export class KeyUsageController {
  constructor(
    private readonly keys: KeysService,
    private readonly clock: Clock,
    private readonly outage: Outage,
    private readonly limits: LimitSet,
    private readonly limitFigures: LimitFiguresReads,
  ) {}

  @Get()
  @GatewayRoute({ endpoint: '/v1/usage', quota: 'exempt' })
  @ApiOperation({ summary: 'Retrieve the usage of the API key', operationId: 'retrieveUsage' })
  @ApiOkResponse({
    type: UsageSnapshot,
    description: 'Usage and remaining quota of the API key. This request does not count against it.',
  })
  async usage(@Context() { key, figures }: RequestContext): Promise<UsageSnapshot> {
    const [lastUsedAt, limits] = await Promise.all([this.lastUsedAt(key!), this.limitsOf(key!)]);
    return { ...usageSnapshot(key!, figures!, lastUsedAt, this.clock.now()), ...(limits.length > 0 && { limits }) };
  }

  /** While the database is unavailable, the limits have no figures (D22). */
  private async limitsOf(key: KeySnapshot): Promise<LimitUsage[]> {
    const known = this.limits.allOf(key);
    if (this.outage.isActive) return known.map((limit) => LimitUsage.withoutFigures(limit));
    const read = await this.limitFigures.of(known.map(({ id }) => id));
    return read.filter(({ figures }) => figures.active).map((limit) => LimitUsage.of(limit));
  }

  /** While the database is unavailable, returns the time that was read with the key (D22). */
  private async lastUsedAt({ id, lastUsedAtMs }: KeySnapshot): Promise<Date | null> {
    if (this.outage.isActive) return lastUsedAtMs === null ? null : new Date(lastUsedAtMs);
    const { lastUsedAt } = await this.keys.get(id);
    return lastUsedAt;
  }
}
