import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Clock } from '../../clock/clock.js';
import { KeysService } from '../../keys/keys.service.js';
import { Context } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/gateway-route.decorator.js';
import { usageSnapshot } from './usage-snapshot.js';
import { UsageSnapshot } from './usage-snapshot.response.dto.js';

@ApiTags('usage')
@ApiBearerAuth('api_key')
@Controller('v1/usage')
export class KeyUsageController {
  constructor(
    private readonly keys: KeysService,
    private readonly clock: Clock,
  ) {}

  @Get()
  @GatewayRoute({ endpoint: '/v1/usage', quota: 'exempt' })
  @ApiOperation({ summary: 'Read the limits of the key', operationId: 'retrieveUsage' })
  @ApiOkResponse({ type: UsageSnapshot, description: 'What the key has used and what is left. Counts nothing.' })
  async usage(@Context() { key, figures }: RequestContext): Promise<UsageSnapshot> {
    const { lastUsedAt } = await this.keys.get(key!.id);
    return usageSnapshot(key!, figures!, lastUsedAt, this.clock.now());
  }
}
