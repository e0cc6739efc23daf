import {
  Catch,
  Controller,
  Delete,
  Get,
  Post,
  type ArgumentsHost,
  type ExceptionFilter,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminGuard } from '../../src/auth/admin.guard.js';
import { ApiKeyGuard } from '../../src/auth/api-key.guard.js';
import { DashboardGuard } from '../../src/auth/dashboard.guard.js';
import { SessionAuthentication } from '../../src/auth/session-authentication.service.js';
import { Clock } from '../../src/platform/clock.js';
import { Config } from '../../src/platform/config/config.js';
import { GatewayError } from '../../src/platform/errors/gateway-error.js';
import { KeyStateGuard } from '../../src/proxy/pipeline/key-dependent.guards.js';
import type { Role } from '../../src/auth/operators/role.rules.js';
import { SessionsService, type FoundSession, type Session } from '../../src/auth/operators/sessions.service.js';
import { RefusalRecheck } from '../../src/proxy/pipeline/refusal-recheck.service.js';
import { RouteGuard } from '../../src/proxy/pipeline/route.guard.js';
import { Context } from '../../src/platform/request-context/context.decorator.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import { AdminRoute, DashboardRoute, GatewayRoute, Public } from '../../src/platform/routes/route-spec.js';

export const ADMIN_KEYS = ['admin_gw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'admin_gw_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'];

/** Confirms every rejection immediately, and counts them. */
export class Refusals implements Pick<RefusalRecheck, 'confirm'> {
  count = 0;
  confirm(_ctx: RequestContext, refusal: GatewayError): Promise<true> {
    this.count++;
    return Promise.reject(refusal);
  }
}

/** Sessions without a database. Valid tokens are `<role>` and `<role>-extended`. The CSRF token is `csrf of <id>`. */
export class Sessions implements Pick<SessionsService, 'find' | 'isCsrfToken' | 'cookieSecondsOf'> {
  finds = 0;

  find(token: string): Promise<FoundSession | null> {
    this.finds++;
    const [, role, extended] = /^(viewer|admin|owner)(-extended)?$/.exec(token) ?? [];
    if (role === undefined) return Promise.resolve(null);
    const session = { id: `session of ${role}`, operatorId: `id of ${role}` } as Session;
    const operator = { id: `id of ${role}`, email: `${role}@example.com`, role: role as Role };
    return Promise.resolve({ session, operator, extended: extended !== undefined } as FoundSession);
  }

  cookieSecondsOf(): number {
    return 604_800;
  }

  isCsrfToken({ id }: Session, token: string): boolean {
    return token === `csrf of ${id}`;
  }
}

/** Has a route of each kind, which returns the context fields that the guards have set. */
@Controller()
export class Routes {
  @Get('v1/models')
  @GatewayRoute({ endpoint: '/v1/models' })
  models(@Context() ctx: RequestContext) {
    return { key: ctx.key, actor: ctx.actor };
  }

  @Post('v1/messages')
  @GatewayRoute({ endpoint: '/v1/messages' })
  messages(@Context() ctx: RequestContext) {
    return { key: ctx.key };
  }

  @Get('v1/messages/:id')
  @GatewayRoute({ endpoint: '/v1/messages/{message_id}' })
  message(@Context() ctx: RequestContext) {
    return { key: ctx.key };
  }

  @Get('admin/things')
  @AdminRoute({ role: 'viewer' })
  things(@Context() ctx: RequestContext) {
    return { key: ctx.key, actor: ctx.actor };
  }

  @Get('admin/things/:role')
  @AdminRoute({ role: 'owner' })
  ownersThings(@Context() ctx: RequestContext) {
    return { actor: ctx.actor, cookie: ctx.response.setCookie };
  }

  @Post('admin/things')
  @AdminRoute({ role: 'admin' })
  change(@Context() ctx: RequestContext) {
    return { actor: ctx.actor, cookie: ctx.response.setCookie };
  }

  @Post('dashboard/session')
  @DashboardRoute({ session: 'none' })
  signIn(@Context() ctx: RequestContext) {
    return { actor: ctx.actor };
  }

  @Get('dashboard/session')
  @DashboardRoute({ session: 'required' })
  session(@Context() ctx: RequestContext) {
    return { actor: ctx.actor, cookie: ctx.response.setCookie };
  }

  @Delete('dashboard/session')
  @DashboardRoute({ session: 'required' })
  signOut(@Context() ctx: RequestContext) {
    return { actor: ctx.actor };
  }

  @Get('health')
  @Public()
  health() {
    return { status: 'ok' };
  }
}

@Catch(GatewayError)
class Envelope implements ExceptionFilter {
  catch(error: GatewayError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { ctx } = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    void reply.status(error.status).type('application/json').send(error.envelope(ctx.requestId));
  }
}

/** Starts an application with the guards of stages 1 and 3. Fastify parses the bodies instead of stage 4. */
export async function startGuardedApp(controllers: Type[], providers: Provider[]): Promise<NestFastifyApplication> {
  const module = await Test.createTestingModule({
    controllers,
    providers: [
      ...[RouteGuard, ApiKeyGuard, AdminGuard, DashboardGuard, KeyStateGuard].map((guard) => ({
        provide: APP_GUARD,
        useClass: guard,
      })),
      { provide: APP_FILTER, useClass: Envelope },
      { provide: Config, useValue: Config.from({}).with({ adminKeys: ADMIN_KEYS }) },
      { provide: RefusalRecheck, useClass: Refusals },
      { provide: SessionsService, useClass: Sessions },
      SessionAuthentication,
      Clock,
      ...providers,
    ],
  }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: ['error'] });
  const fastify = app.getHttpAdapter().getInstance();
  fastify.decorateRequest('ctx');
  fastify.addHook('onRequest', (request, _reply, done) => {
    request.ctx = new RequestContext(`request-${request.id}`, request.method);
    done();
  });
  fastify.addHook('preHandler', (request, _reply, done) => {
    request.ctx.body.json = (request.body as Record<string, unknown> | undefined) ?? null;
    done();
  });
  await app.init();
  await fastify.ready();
  return app;
}
