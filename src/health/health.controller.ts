import { Controller, Get, Head, Res } from '@nestjs/common';
import { ApiOkResponse, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../routes/public.decorator.js';
import { HealthAnswer, LiveAnswer, ReadyAnswer } from './health.response.dto.js';
import { Readiness } from './readiness.service.js';

@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get()
  @Public()
  @ApiOkResponse({ type: HealthAnswer })
  health(): HealthAnswer {
    return this.readiness.health();
  }

  @Head()
  @Public()
  headHealth(): void {}

  @Get('live')
  @Public()
  @ApiOkResponse({ type: LiveAnswer })
  live(): LiveAnswer {
    return { status: 'live' };
  }

  @Head('live')
  @Public()
  headLive(): void {}

  @Get('ready')
  @Public()
  @ReadyAnswers()
  ready(@Res({ passthrough: true }) reply: FastifyReply): ReadyAnswer {
    return this.answerReady(reply);
  }

  @Head('ready')
  @Public()
  headReady(@Res({ passthrough: true }) reply: FastifyReply): void {
    this.answerReady(reply);
  }

  private answerReady(reply: FastifyReply): ReadyAnswer {
    const answer = this.readiness.ready();
    void reply.status(answer.status === 'not_ready' ? 503 : 200);
    return answer;
  }
}

function ReadyAnswers(): MethodDecorator {
  return (target, name, descriptor) => {
    ApiOkResponse({ type: ReadyAnswer, description: 'Known keys are served.' })(target, name, descriptor);
    ApiServiceUnavailableResponse({ type: ReadyAnswer, description: 'Not yet, or not any more.' })(
      target,
      name,
      descriptor,
    );
  };
}
