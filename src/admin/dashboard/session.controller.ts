import { Controller, Delete, Get, Post, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { OperatorsService } from '../../auth/operators/operators.service.js';
import { Config } from '../../platform/config/config.js';
import type { AdminActor, CallerSession } from '../../platform/request-context/caller-session.js';
import { NoInputGuard, ValidBody } from '../../platform/request-context/context.decorator.js';
import { DashboardRoute } from '../../platform/routes/route-spec.js';
import { Actor, Caller, Responds } from '../admin.decorators.js';
import { DashboardSessions } from './dashboard-sessions.service.js';
import { ChangePasswordRequest, DashboardSessionResponse, passwordChangeOf, SignInRequest } from './session.dto.js';

@ApiTags('dashboard')
@Controller('dashboard/session')
@UseGuards(NoInputGuard)
export class DashboardSessionController {
  constructor(private readonly sessions: DashboardSessions) {}

  @Post()
  @DashboardRoute({ session: 'none' })
  @Responds(200, {
    summary: 'Sign in',
    type: DashboardSessionResponse,
    description: 'Signed in. The response sets the session cookie.',
  })
  async signIn(@ValidBody(SignInRequest) body: SignInRequest, @Req() request: FastifyRequest) {
    return DashboardSessionResponse.of(await this.sessions.signIn(body, request));
  }

  @Get()
  @DashboardRoute({ session: 'required' })
  @Responds(200, { summary: 'Get the current session', type: DashboardSessionResponse, needsCookie: true })
  read(@Caller() caller: CallerSession) {
    return DashboardSessionResponse.of(this.sessions.withCsrfToken(caller));
  }

  @Delete()
  @DashboardRoute({ session: 'required' })
  @Responds(204, {
    summary: 'Sign out',
    description: 'The session has ended. The response clears the cookie.',
    needsCookie: true,
  })
  signOut(@Req() request: FastifyRequest): Promise<void> {
    return this.sessions.signOut(request);
  }
}

@ApiTags('dashboard')
@Controller('dashboard/password')
@UseGuards(NoInputGuard)
export class DashboardPasswordController {
  constructor(
    private readonly operators: OperatorsService,
    private readonly config: Config,
  ) {}

  @Post()
  @DashboardRoute({ session: 'required' })
  @Responds(204, {
    summary: 'Change your password',
    description: 'Changed. The current session continues.',
    needsCookie: true,
  })
  change(
    @ValidBody(ChangePasswordRequest) body: ChangePasswordRequest,
    @Caller() { operator, session }: CallerSession,
    @Actor() actor: AdminActor,
  ): Promise<void> {
    return this.operators.changeOwnPassword(operator.id, passwordChangeOf(body, session.id, this.config), actor);
  }
}
