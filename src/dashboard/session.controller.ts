import { Controller, Delete, Get, Post, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { clientAddressOf } from '../auth/client-address.js';
import { cookieWith, NO_COOKIE } from '../auth/credentials.js';
import { SessionsService } from '../operators/sessions.service.js';
import { SignIn } from '../operators/sign-in.service.js';
import { Context, NoInputGuard } from '../request-context/context.decorator.js';
import { ValidBody } from '../request-context/operator-input.decorators.js';
import type { RequestContext } from '../request-context/request-context.js';
import { DashboardRoute } from '../routes/route-spec.js';
import { ReadSessionDoc, SignInDoc, SignOutDoc } from './dashboard.doc.js';
import { DashboardSessionResponse, SignInRequest } from './session.dto.js';

/** A sign-in always creates a new session and ignores an existing cookie. */
@ApiTags('dashboard')
@Controller('dashboard/session')
@UseGuards(NoInputGuard)
export class DashboardSessionController {
  constructor(
    private readonly signIns: SignIn,
    private readonly sessions: SessionsService,
  ) {}

  @Post()
  @DashboardRoute({ session: 'none' })
  @SignInDoc()
  async signIn(@ValidBody(SignInRequest) body: SignInRequest, @Req() request: FastifyRequest) {
    const { token, csrfToken, ...session } = await this.signIns.signIn(body, originOf(request));
    request.ctx.response.setCookie = cookieWith(token);
    return DashboardSessionResponse.of(session, csrfToken);
  }

  @Get()
  @DashboardRoute({ session: 'required' })
  @ReadSessionDoc()
  read(@Context() { session }: RequestContext) {
    return DashboardSessionResponse.of(session!, this.sessions.csrfTokenOf(session!.session));
  }

  @Delete()
  @DashboardRoute({ session: 'required' })
  @SignOutDoc()
  async signOut(@Context() ctx: RequestContext): Promise<void> {
    await this.sessions.signOut(ctx.session!.session, ctx.actor!);
    ctx.response.setCookie = NO_COOKIE;
  }
}

const originOf = (request: FastifyRequest) => ({
  ip: clientAddressOf(request),
  userAgent: request.headers['user-agent'] ?? null,
  requestId: request.ctx.requestId,
});
