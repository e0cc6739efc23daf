import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import { BodyMemory } from '../../platform/fairness/body-memory.js';
import { ParseQueue } from '../../platform/fairness/parse-queue.js';
import { discardUnreadBody } from '../../platform/patches/node-unread-body.js';
import { replyOf, requestOf } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import {
  BODY_BYTES_MAX,
  isStreamed,
  type AdminRouteSpec,
  type BodyKind,
  type DashboardRouteSpec,
} from '../../platform/routes/route-spec.js';
import { rejectModelInQuery } from './body/ambiguous-form-fields.rules.js';
import { requireJsonContentType, scheduleParsing, takeJson, takeOperatorJson } from './body/json-body.js';
import { takeForm } from './body/multipart-form.js';
import { boundaryOf, isForm } from './body/multipart-headers.js';
import { holdBody, rejectAnnounced } from './body/read-body.js';
import { RefusalRecheck } from './refusal-recheck.service.js';

/** Holders of body memory without an API key. They are separate, so that a flood of sign-ins does not block /admin. */
const HOLDER = { admin: 'admin', dashboard: 'dashboard' } as const;
/** The time for the whole body of a sign-in, because its sender has no credential yet. */
const SIGN_IN_BODY_MS = 10_000;

/** Stage 4: checks content type and size, and puts the client's bytes and the parsed body into the context. */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly memory: BodyMemory,
    private readonly parseQueue: ParseQueue,
    private readonly recheck: RefusalRecheck,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(host);
    const { ctx } = request;
    if (ctx.client.contentType !== undefined) request.raw.headers['content-type'] = ctx.client.contentType;
    const { route } = ctx;
    if (route === null || route.kind === 'public') return true;
    const reply = replyOf(host);
    if (route.kind !== 'gateway') return ctx.method === 'GET' || this.readOperatorBody(route, request, reply);
    const kind = route.body === 'either' ? (isForm(ctx.client.contentType) ? 'multipart' : 'json') : route.body;
    if (kind !== 'none') return this.readGatewayBody(kind, request, reply);
    if (hasBody(request.raw)) discardUnreadBody(request.raw, reply.raw, bytesMaxOf(ctx, this.config));
    return true;
  }

  private async readGatewayBody(
    kind: Exclude<BodyKind, 'none' | 'either'>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const { ctx } = request;
    try {
      switch (kind) {
        case 'json': {
          requireJsonContentType(ctx.client.contentType);
          const body = await this.hold(request, reply);
          const wait = scheduleParsing(ctx, body, this.parseQueue, ctx.key!.id);
          const turn = wait === undefined ? undefined : await wait;
          try {
            takeJson(ctx, body, this.config.isCurrentProfile);
          } finally {
            turn?.end();
          }
          rejectModelInQuery(request.raw.url!);
          return true;
        }
        case 'multipart': {
          const boundary = boundaryOf(ctx.client.contentType);
          const form = await this.hold(request, reply);
          const wait = this.parseQueue.enter(ctx.key!.id, form.length);
          if (wait !== undefined) await wait;
          takeForm(ctx, form, boundary, this.config.isCurrentProfile ? null : 'model');
          rejectModelInQuery(request.raw.url!);
          return true;
        }
        case 'opaque': {
          const body = await this.hold(request, reply);
          // An empty Buffer would add `content-length: 0` to the upstream request.
          ctx.body.bytes = body.length === 0 ? null : body;
          return true;
        }
        case 'upload':
        case 'streamed':
          if (kind === 'upload') boundaryOf(ctx.client.contentType);
          // The forwarder streams the body, and limits one without `Content-Length`.
          rejectAnnounced(request.raw, bytesMaxOf(ctx, this.config));
          return true;
        default:
          return kind satisfies never;
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return this.recheck.confirm(ctx, error);
    }
  }

  /** Sign-in requires a JSON content type, because any site can send a cross-origin form without a preflight (D19). */
  private async readOperatorBody(
    route: AdminRouteSpec | DashboardRouteSpec,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const isSignIn = route.kind === 'dashboard' && route.session === 'none';
    if (isSignIn) requireJsonContentType(request.ctx.client.contentType);
    const holder = HOLDER[route.kind];
    const body = await this.hold(request, reply, holder, isSignIn ? SIGN_IN_BODY_MS : Infinity);
    const turn = await scheduleParsing(request.ctx, body, this.parseQueue, holder);
    try {
      takeOperatorJson(request.ctx, body);
    } finally {
      turn?.end();
    }
    return true;
  }

  private hold(
    request: FastifyRequest,
    reply: FastifyReply,
    holder = request.ctx.key!.id,
    totalMs = Infinity,
  ): Promise<Buffer> {
    const { memory, config } = this;
    const { bodyIdleTimeoutMs: idleMs, bodyBytesPerSecondMin: bytesPerSecondMin } = config;
    return holdBody(request, reply, {
      bytesMax: bytesMaxOf(request.ctx, config),
      pace: { idleMs, bytesPerSecondMin, totalMs },
      memory,
      holder,
    });
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** The limit is low, because a sign-in is read without a credential. */
const DASHBOARD_BODY_BYTES_MAX = 65_536;

/** The number of bytes that a body of this route can have. */
export function bytesMaxOf({ route }: RequestContext, { fileMaxBytes }: Config): number {
  if (route?.kind === 'dashboard') return DASHBOARD_BODY_BYTES_MAX;
  if (route?.kind !== 'gateway') return BODY_BYTES_MAX;
  return isStreamed(route.body) ? fileMaxBytes : route.bodyBytesMax;
}
