import type { IncomingMessage } from 'node:http';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { Config } from '../../platform/config/config.js';
import { GatewayError } from '../../platform/errors/gateway-error.js';
import { replyOf, requestOf } from '../../platform/request-context/context.decorator.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';
import {
  BODY_BYTES_MAX,
  isStreamed,
  type AdminRouteSpec,
  type BodyKind,
  type DashboardRouteSpec,
} from '../../platform/routes/route-spec.js';
import { surveyOf } from '../../platform/json/json-structure.js';
import { BodyMemory } from '../../platform/fairness/body-memory.js';
import { ParseQueue } from '../../platform/fairness/parse-queue.js';
import { holdBody, holdParsed, refuseAnnounced } from './body/read-body.js';
import { refuseModelInQuery } from './body/ambiguous-form-fields.rules.js';
import { refusalOfTwoReadings } from './body/two-readings-refusal.js';
import { readForm, type Form } from './body/multipart-form.js';
import { boundaryOf, isForm } from './body/multipart-headers.js';
import { discardUnreadBody } from '../../platform/patches/node-unread-body.js';
import { invalidContentType, invalidJson, invalidType } from '../../platform/errors/error-factories.js';
import { RefusalRecheck } from './refusal-recheck.service.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** Holders of body memory without an API key. They are separate, so that a flood of sign-ins does not block /admin. */
const HOLDER = { admin: 'admin', dashboard: 'dashboard' } as const;
/** The limit is low, because a sign-in is read without a credential. */
const DASHBOARD_BODY_BYTES_MAX = 65_536;
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
          const wait = holdParsed(ctx, body, this.parseQueue, ctx.key!.id);
          if (wait !== undefined) await wait;
          takeJson(ctx, body, this.config.isCurrentProfile);
          refuseModelInQuery(request.raw.url!);
          return true;
        }
        case 'multipart': {
          const boundary = boundaryOf(ctx.client.contentType);
          const form = await this.hold(request, reply);
          const turn = this.parseQueue.enter(ctx.key!.id, form.length);
          if (turn !== undefined) await turn;
          takeForm(ctx, readForm(form, boundary, this.config.isCurrentProfile ? null : 'model'), form);
          refuseModelInQuery(request.raw.url!);
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
          refuseAnnounced(request, bytesMaxOf(ctx, this.config));
          return true;
        default:
          return kind satisfies never;
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return this.recheck.confirm(ctx, error);
    }
  }

  /**
   * Reads an operator's body. An absent body stays null, and counts as `{}` if every field is optional (D16). Sign-in requires
   * a JSON content type, because any site can send a cross-origin form without a preflight (D19).
   */
  private async readOperatorBody(
    route: AdminRouteSpec | DashboardRouteSpec,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const isSignIn = route.kind === 'dashboard' && route.session === 'none';
    if (isSignIn) requireJsonContentType(request.ctx.client.contentType);
    const holder = HOLDER[route.kind];
    const body = await this.hold(request, reply, holder, isSignIn ? SIGN_IN_BODY_MS : Infinity);
    await holdParsed(request.ctx, body, this.parseQueue, holder);
    request.ctx.body.json =
      body.length === 0 ? null : parseJsonObject(body, request.ctx.body.structure?.hasEscapedNames);
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

function takeJson(ctx: RequestContext, body: Buffer, isCurrentProfile: boolean): void {
  const { structure } = ctx.body;
  ctx.body.bytes = body;
  ctx.body.json = parseJsonObject(body, structure?.hasEscapedNames);
  const survey = surveyOf(ctx.body.json);
  ctx.body.namesModelsInside = survey.namesModelsInside;
  const counted = { survey, fields: structure?.fields };
  const refusal = refusalOfTwoReadings(body, ctx.body.json, isCurrentProfile ? 'everywhere' : 'none', counted);
  if (refusal !== null) throw refusal;
  // The specification accepts other spellings, so they are refused only if a limit or the model gate could be bypassed.
  if (!isCurrentProfile && survey.hasVariants)
    ctx.body.ambiguity = refusalOfTwoReadings(body, ctx.body.json, 'known-fields', counted);
  ctx.stream = ctx.body.json['stream'] === true;
}

function takeForm(ctx: RequestContext, form: Form, body: Buffer): void {
  ctx.body.bytes = body;
  ctx.body.json = form;
  ctx.stream = ctx.body.json['stream'] === 'true';
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

export function bytesMaxOf({ route }: RequestContext, { fileMaxBytes }: Config): number {
  if (route?.kind === 'dashboard') return DASHBOARD_BODY_BYTES_MAX;
  if (route?.kind !== 'gateway') return BODY_BYTES_MAX;
  return isStreamed(route.body) ? fileMaxBytes : route.bodyBytesMax;
}

const MEDIA_TYPE = /^\s*application\/json\s*(;|$)/i;
/**
 * A charset other than UTF-8, with which a provider could decode another `model` (D29). The pattern is not anchored, because
 * some parsers read the extended form (`charset*`) or a charset inside another parameter.
 */
const OTHER_CHARSET = /charset(?!\s*(?:=\s*"?utf-?8"?\s*)?(?:;|$))/i;

/** @throws GatewayError `invalid_content_type` unless the type is application/json, with charset UTF-8 or none */
export function requireJsonContentType(contentType: string | undefined): void {
  if (contentType === undefined || !MEDIA_TYPE.test(contentType) || OTHER_CHARSET.test(contentType))
    throw invalidContentType('application/json');
}

/**
 * @param mayHaveEscapedNames see `parseJson`
 * @throws GatewayError `invalid_json`, or `invalid_type` (param null) if the body is not an object
 */
export function parseJsonObject(body: Buffer, mayHaveEscapedNames?: boolean): Record<string, unknown> {
  if (!isUtf8(body)) throw invalidJson();
  let value: unknown;
  try {
    value = parseJson(body, mayHaveEscapedNames);
  } catch {
    throw invalidJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidType(null, 'a JSON object');
  return value as Record<string, unknown>;
}
