import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config.js';
import {
  badRequest,
  internalError,
  outcomeUnknown,
  routeNotFound,
  serviceUnavailable,
} from '../../platform/errors/error-factories.js';
import { OutcomeUnknown } from '../../platform/database/transactions.js';
import { isStorageOutage } from '../../platform/database/storage-outage.rules.js';
import { GatewayError, type EnvelopeForm } from '../../platform/errors/gateway-error.js';
import { isAnthropicClient, type RequestContext } from '../../platform/request-context/request-context.js';
import { replyOf, requestOf } from '../../platform/request-context/context.decorator.js';
import { withoutKeys } from '../../platform/telemetry/redact.js';
import { ResponseHead } from './response-headers.interceptor.js';
import { prepareOwnResponse } from './own-response.js';
import { MissingRoutes } from './missing-route.js';
import { bytesMaxOf } from './request-body.guard.js';
import { startContext } from './request.hooks.js';

@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  private readonly logger = new Logger('Errors');

  constructor(
    private readonly head: ResponseHead,
    private readonly config: Config,
    private readonly missing: MissingRoutes,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.respond(thrown, requestOf(host), replyOf(host));
  }

  respond(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // If the router rejects a request, no hook has created its context.
    const ctx = (request.ctx as RequestContext | undefined) ?? startContext(request);
    const given = asGatewayError(thrown, request.is404, isProxied(request));
    const error = given.code === 'route_not_found' ? this.missing.explain(request) : given;
    ctx.response.errorCode = error.code;
    ctx.response.errorMessage = error.message;
    this.log(ctx, error);
    const res = reply.raw;
    if (res.headersSent || res.destroyed) {
      // A truncated response must not look complete.
      res.destroy();
      return;
    }
    if (isAboutTheKey(error)) ctx.figures = null;
    const form = this.formFor(request);
    // A message can quote a name from the request, and the name can contain an API key (D24).
    const body = withoutKeys(error.envelope(ctx.requestId, form));
    const headers = this.head.headers(ctx, error.status);
    // Anthropic's SDKs read the request ID from this header.
    if (form !== 'gateway') headers.push('request-id', ctx.requestId);
    headers.push('content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(body)));
    for (const name of Object.keys(error.headers)) headers.push(name, error.headers[name]!);
    reply.hijack();
    prepareOwnResponse(request.raw, res, bytesMaxOf(ctx, this.config));
    res.writeHead(error.status, headers);
    res.end(request.method === 'HEAD' ? undefined : body);
  }

  private formFor({ raw }: FastifyRequest): EnvelopeForm {
    const isMessages = raw.url?.startsWith('/v1/messages') === true;
    if (this.config.isCurrentProfile && (isMessages || isAnthropicClient(raw))) return 'anthropic';
    return isMessages ? 'messages' : 'gateway';
  }

  private log(ctx: RequestContext, error: GatewayError): void {
    if (error.cause === undefined) return;
    const line = `${error.code} on ${ctx.requestId}: ${describe(error.cause)}`;
    if (error.code === 'internal_error') this.logger.error(line);
    else this.logger.warn(line);
  }
}

const isProxied = ({ raw }: FastifyRequest): boolean => raw.url?.startsWith('/v1') === true;

function asGatewayError(thrown: unknown, isNoRoute: boolean, isProxied: boolean): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  const status =
    thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: unknown } | null)?.statusCode;
  // On an unknown route, Fastify rejects a QUERY request without a content type.
  if (status === 404 || isNoRoute) return routeNotFound();
  if (typeof status === 'number' && status >= 400 && status < 500)
    return badRequest('The request is malformed. Check its path and headers.');
  if (thrown instanceof OutcomeUnknown && !isProxied) return outcomeUnknown(thrown);
  return isStorageOutage(thrown) ? serviceUnavailable(thrown) : internalError(thrown);
}

const isAboutTheKey = ({ code }: GatewayError): boolean => code === 'invalid_api_key' || code.startsWith('api_key_');

const describe = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : (JSON.stringify(cause)?.slice(0, 1000) ?? String(cause));
