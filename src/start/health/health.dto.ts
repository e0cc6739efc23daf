import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse } from '@nestjs/swagger';

export class HealthResponse {
  @ApiProperty({ enum: ['ok'] })
  status: 'ok';

  @ApiProperty({ example: 'inference-gateway' })
  service: string;

  @ApiProperty({ example: '0.1.0' })
  version: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  uptime_seconds: number;
}

export class LiveResponse {
  @ApiProperty({ enum: ['live'] })
  status: 'live';
}

export class ReadyResponse {
  @ApiProperty({
    enum: ['ready', 'degraded', 'not_ready'],
    description:
      '`degraded`: the gateway serves the API keys that it has cached, but the database or the upstream fails.',
  })
  status: 'ready' | 'degraded' | 'not_ready';

  @ApiProperty({
    enum: ['connecting', 'ready', 'away'],
    description:
      '`away`: unavailable, read-only or waiting for a synchronous standby, or admission or usage cannot be stored.',
  })
  database: 'connecting' | 'ready' | 'away';

  @ApiProperty({
    enum: ['ready', 'away', 'refused', 'failing'],
    description:
      '`refused`: the upstream rejected the provider account. `failing`: with `GW_UPSTREAMS`, no upstream serves its requests.',
  })
  upstream: 'ready' | 'away' | 'refused' | 'failing';

  @ApiProperty({ description: 'The process has received a stop signal.' })
  draining: boolean;
}

export const HealthDoc = () => documented('Get version and uptime', 'getHealth', HealthResponse);
export const LiveDoc = () => documented('Check liveness', 'getLiveness', LiveResponse);
export const ReadyDoc = () =>
  applyDecorators(
    ApiOperation({ summary: 'Check readiness', operationId: 'getReadiness' }),
    ApiOkResponse({ type: ReadyResponse, description: 'The gateway can serve requests.' }),
    ApiServiceUnavailableResponse({ type: ReadyResponse, description: NOT_READY }),
  );

export const HealthHeadDoc = () => documented('Check health without a body', 'headHealth');
export const LiveHeadDoc = () => documented('Check liveness without a body', 'headLiveness');
export const ReadyHeadDoc = () =>
  applyDecorators(
    documented('Check readiness without a body', 'headReadiness'),
    ApiServiceUnavailableResponse({ description: NOT_READY }),
  );

const NOT_READY = 'The gateway is starting, shutting down, or cannot serve requests.';

const documented = (summary: string, operationId: string, type?: Type) =>
  applyDecorators(ApiOperation({ summary, operationId }), ApiOkResponse({ type }));
