import { Controller, Get, Head, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../../platform/routes/route-spec.js';
import {
  type HealthResponse,
  HealthDoc,
  HealthHeadDoc,
  type LiveResponse,
  LiveDoc,
  LiveHeadDoc,
  type ReadyResponse,
  ReadyDoc,
  ReadyHeadDoc,
} from './health.dto.js';
import { Readiness } from './readiness.service.js';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get()
  @Public()
  @HealthDoc()
  health(): HealthResponse {
    return this.readiness.health();
  }

  @Head()
  @Public()
  @HealthHeadDoc()
  headHealth(): HealthResponse {
    return this.health();
  }

  @Get('live')
  @Public()
  @LiveDoc()
  live(): LiveResponse {
    return { status: 'live' };
  }

  @Head('live')
  @Public()
  @LiveHeadDoc()
  headLive(): LiveResponse {
    return this.live();
  }

  @Get('ready')
  @Public()
  @ReadyDoc()
  ready(@Res({ passthrough: true }) reply: FastifyReply): ReadyResponse {
    return this.respondReady(reply);
  }

  @Head('ready')
  @Public()
  @ReadyHeadDoc()
  headReady(@Res({ passthrough: true }) reply: FastifyReply): ReadyResponse {
    return this.respondReady(reply);
  }

  private respondReady(reply: FastifyReply): ReadyResponse {
    const report = this.readiness.ready();
    void reply.status(report.status === 'not_ready' ? 503 : 200);
    return report;
  }
}
