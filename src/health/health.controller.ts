import { Controller, Get, Head, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../routes/route-spec.js';
import {
  type HealthAnswer,
  HealthDoc,
  HealthHeadDoc,
  type LiveAnswer,
  LiveDoc,
  LiveHeadDoc,
  type ReadyAnswer,
  ReadyDoc,
  ReadyHeadDoc,
} from './health.response.dto.js';
import { Readiness } from './readiness.service.js';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get()
  @Public()
  @HealthDoc()
  health(): HealthAnswer {
    return this.readiness.health();
  }

  @Head()
  @Public()
  @HealthHeadDoc()
  headHealth(): HealthAnswer {
    return this.health();
  }

  @Get('live')
  @Public()
  @LiveDoc()
  live(): LiveAnswer {
    return { status: 'live' };
  }

  @Head('live')
  @Public()
  @LiveHeadDoc()
  headLive(): LiveAnswer {
    return this.live();
  }

  @Get('ready')
  @Public()
  @ReadyDoc()
  ready(@Res({ passthrough: true }) reply: FastifyReply): ReadyAnswer {
    return this.respondReady(reply);
  }

  @Head('ready')
  @Public()
  @ReadyHeadDoc()
  headReady(@Res({ passthrough: true }) reply: FastifyReply): ReadyAnswer {
    return this.respondReady(reply);
  }

  private respondReady(reply: FastifyReply): ReadyAnswer {
    const answer = this.readiness.ready();
    void reply.status(answer.status === 'not_ready' ? 503 : 200);
    return answer;
  }
}
