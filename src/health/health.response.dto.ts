import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiServiceUnavailableResponse } from '@nestjs/swagger';

export class HealthAnswer {
  @ApiProperty({ enum: ['ok'] })
  status: 'ok';

  @ApiProperty({ example: 'inference-gateway' })
  service: string;

  @ApiProperty({ example: '1.0.0' })
  version: string;

  @ApiProperty({ type: 'integer', minimum: 0 })
  uptime_seconds: number;
}

export class LiveAnswer {
  @ApiProperty({ enum: ['live'] })
  status: 'live';
}

export class ReadyAnswer {
  @ApiProperty({
    enum: ['ready', 'degraded', 'not_ready'],
    description: '`degraded`: known keys are served, something behind the gateway is away.',
  })
  status: 'ready' | 'degraded' | 'not_ready';

  @ApiProperty({ enum: ['connecting', 'ready', 'away'] })
  database: 'connecting' | 'ready' | 'away';

  @ApiProperty({
    enum: ['ready', 'away', 'refused'],
    description: "`refused`: asked for its models, it does not take the account's credential (401).",
  })
  upstream: 'ready' | 'away' | 'refused';

  @ApiProperty({ description: 'A stop signal has come.' })
  draining: boolean;
}

/** How the API description shows the health routes; `HEAD` answers like `GET`, without a body. */
export const HealthDoc = () => shown('Tell that the gateway serves', 'getHealth', HealthAnswer);
export const LiveDoc = () => shown('Tell that the process answers', 'getLiveness', LiveAnswer);
export const ReadyDoc = () =>
  applyDecorators(
    ApiOperation({ summary: 'Tell whether to send requests here', operationId: 'getReadiness' }),
    ApiOkResponse({ type: ReadyAnswer, description: 'Known keys are served.' }),
    ApiServiceUnavailableResponse({ type: ReadyAnswer, description: NOT_READY }),
  );

export const HealthHeadDoc = () => shown('Tell that the gateway serves, without a body', 'headHealth');
export const LiveHeadDoc = () => shown('Tell that the process answers, without a body', 'headLiveness');
export const ReadyHeadDoc = () =>
  applyDecorators(
    shown('Tell whether to send requests here, without a body', 'headReadiness'),
    ApiServiceUnavailableResponse({ description: NOT_READY }),
  );

const NOT_READY = 'Not yet, or not any more.';

const shown = (summary: string, operationId: string, type?: Type) =>
  applyDecorators(ApiOperation({ summary, operationId }), ApiOkResponse({ type }));
