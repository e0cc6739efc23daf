import { Controller, Delete, Get, Post, Req, UseGuards, applyDecorators, HttpCode } from '@nestjs/common';
import { ApiTags, ApiCookieAuth, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { clientAddressOf } from '../../auth/client-address.js';
import { newSessionCookie, noCookieOf, setCookieOf } from '../../auth/session-cookie.js';
import { Config } from '../../platform/config/config.js';
import { SessionsService } from '../../auth/operators/sessions.service.js';
import { SignIn } from '../../auth/operators/sign-in.service.js';
import { Context, NoInputGuard, ValidBody } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import { DashboardRoute } from '../../platform/routes/route-spec.js';
import { DashboardSessionResponse, SignInRequest, ChangePasswordRequest } from './session.dto.js';
import { OperatorsService } from '../../auth/operators/operators.service.js';

export const SignInDoc = (): MethodDecorator =>
  described(200, 'Sign in', {
    type: DashboardSessionResponse,
    description: 'Signed in. The response sets the session cookie.',
  });

export const ReadSessionDoc = (): MethodDecorator =>
  signedIn(described(200, 'Get the current session', { type: DashboardSessionResponse }));

export const SignOutDoc = (): MethodDecorator =>
  signedIn(described(204, 'Sign out', { description: 'The session has ended. The response clears the cookie.' }));

const ChangePasswordDoc = (): MethodDecorator =>
  signedIn(described(204, 'Change your password', { description: 'Changed. The current session continues.' }));

function described(
  status: 200 | 204,
  summary: string,
  response: { readonly type?: new () => object; readonly description?: string },
): MethodDecorator {
  return applyDecorators(HttpCode(status), ApiOperation({ summary }), ApiResponse({ status, ...response }));
}

const signedIn = (decorator: MethodDecorator): MethodDecorator =>
  applyDecorators(decorator, ApiCookieAuth('session_cookie'));

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
    const cookie = newSessionCookie(request, token);
    request.ctx.response.setCookie = setCookieOf(cookie, this.sessions.cookieSecondsOf(session.session));
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
  async signOut(@Req() request: FastifyRequest): Promise<void> {
    const { ctx } = request;
    await this.sessions.signOut(ctx.session!.session, ctx.actor!);
    ctx.response.setCookie = noCookieOf(request);
  }
}

const originOf = (request: FastifyRequest) => ({
  ip: clientAddressOf(request),
  userAgent: request.headers['user-agent'] ?? null,
  requestId: request.ctx.requestId,
});

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
  @ChangePasswordDoc()
  change(@ValidBody(ChangePasswordRequest) body: ChangePasswordRequest, @Context() ctx: RequestContext) {
    const { operator, session } = ctx.session!;
    const endsOthers = body.end_other_sessions ?? this.config.isCurrentProfile;
    const change = {
      current: body.current_password,
      next: body.new_password,
      onlySessionLeft: endsOthers ? session.id : null,
    };
    return this.operators.changeOwnPassword(operator.id, change, ctx.actor!);
  }
}
