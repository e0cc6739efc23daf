import { ApiProperty } from '@nestjs/swagger';

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
