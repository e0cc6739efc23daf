import type { IncomingMessage } from 'node:http';
import { Logger, type CanActivate } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppModule } from './app.module.js';
import { Config } from '../platform/config/config.js';
import { badRequest, routeNotFound, upgradeRequired } from '../platform/errors/error-factories.js';
import { serveApiDescription } from '../platform/openapi/docs-routes.js';
import {
  prepareOwnResponse,
  respondToPreflight,
  respondToConnectivityCheck,
  asksForWebSocket,
} from '../proxy/pipeline/own-response.js';
import { ResponseHead, ResponseHeadersInterceptor } from '../proxy/pipeline/response-headers.interceptor.js';
import { startContext, originForm, RequestEndHook, headProblem } from '../proxy/pipeline/request.hooks.js';
import { ErrorEnvelopeFilter } from '../proxy/pipeline/error-envelope.filter.js';
import { STAGES } from '../proxy/pipeline/stages.js';
import { respondToClientError, overrideNodeDefaults } from '../platform/patches/node-protocol-errors.js';
import { joinSmallChunks } from '../platform/patches/node-small-chunks.js';
import { serveInOrder } from '../platform/patches/node-pipelined-requests.js';
import { useSynchronousInterceptors } from '../platform/patches/nest-interceptors.js';
import { newRequestId } from '../platform/request-context/request-id.js';
import { BODY_BYTES_MAX } from '../platform/routes/route-spec.js';
import { requireDeclaredRoutes } from '../platform/routes/declared-routes.js';
import { ProcessLog } from '../platform/telemetry/process-log.js';

const HEAD_BYTES_MAX = 16_384;
const PATH_PARAMETER_LENGTH_MAX = 2_000;
const HEAD_CHECK_INTERVAL_MS = 1_000;
/** For responses without a controller: the API description and its page, which must not be framed */
const NO_CONTROLLER_HEADERS = ['x-content-type-options', 'nosniff', 'x-frame-options', 'DENY'] as const;

/** Creates the application without listening. @param config with `upstreamBaseUrl` and `databaseUrl` */
export async function createApp(config: Config): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    ...serverOptions(config),
    // The router rejects a path that cannot be decoded before any hook runs.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      startContext(request);
      app.get(ErrorEnvelopeFilter).respond(routeNotFound(), request, reply);
    },
  });
  const app: NestFastifyApplication = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config),
    adapter,
    { bodyParser: false, bufferLogs: true, autoFlushLogs: false, abortOnError: false },
  ).catch((error: unknown) => {
    // Otherwise, Nest buffers all later log lines of the process.
    Logger.detachBuffer();
    throw error;
  });
  app.useLogger(app.get(ProcessLog));
  app.flushLogs();
  app.useGlobalGuards(...STAGES.map((stage) => app.get<CanActivate>(stage)));
  app.useGlobalInterceptors(app.get(ResponseHeadersInterceptor));
  app.useGlobalFilters(app.get(ErrorEnvelopeFilter));
  useSynchronousInterceptors();
  prepareServer(adapter.getInstance(), app, config);
  serveApiDescription(app, config);
  await app.init();
  requireDeclaredRoutes(app);
  return app;
}

function serverOptions(config: Config) {
  return {
    genReqId: () => newRequestId(),
    requestIdHeader: false as const,
    exposeHeadRoutes: false,
    // The gateway uses no middleware, but middie's hook would run for each request.
    skipMiddie: true,
    rewriteUrl: ({ url = '' }: IncomingMessage) => originForm(url),
    routerOptions: { maxParamLength: PATH_PARAMETER_LENGTH_MAX },
    trustProxy: trustedProxies(config.trustProxy),
    keepAliveTimeout: config.keepaliveTimeoutMs,
    // Off, because they would abort silent streams and slow uploads. The pipeline has its own idle timeouts.
    connectionTimeout: 0,
    requestTimeout: 0,
    http: {
      requireHostHeader: false,
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: config.headTimeoutMs,
      connectionsCheckingInterval: HEAD_CHECK_INTERVAL_MS,
    },
    clientErrorHandler: respondToClientError,
  };
}

function trustedProxies(
  trusted: Config['trustProxy'],
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (trusted === false) return false;
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : [...trusted];
}

function prepareServer(fastify: FastifyInstance, app: NestFastifyApplication, { isCurrentProfile }: Config): void {
  const records = app.get(RequestEndHook);
  const filter = app.get(ErrorEnvelopeFilter);
  const head = app.get(ResponseHead);
  fastify.server.timeout = 0;
  overrideNodeDefaults(fastify.server);
  serveInOrder(fastify.server);
  joinSmallChunks(fastify.server);
  // Fastify would parse bodies before the guards run. `request-body.guard` reads them instead.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.decorateRequest('ctx');
  fastify.addHook('onRequest', (request, reply, done) => {
    const ctx = startContext(request);
    const problem = headProblem(request.raw);
    if (problem === null) {
      if (respondToPreflight(request, reply, () => head.headers(ctx, 204))) return;
      if (isCurrentProfile && respondToConnectivityCheck(request, reply, () => head.headers(ctx, 200))) return;
    }
    records.attach(request, reply);
    if (problem !== null) return filter.respond(badRequest(problem), request, reply);
    if (isCurrentProfile && asksForWebSocket(request)) return filter.respond(upgradeRequired(), request, reply);
    done();
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    prepareOwnResponse(request.raw, reply.raw, BODY_BYTES_MAX);
    const { ctx } = request;
    const own = ctx.response.ownHeaders?.() ?? [...head.headers(ctx, reply.statusCode), ...NO_CONTROLLER_HEADERS];
    for (let at = 0; at < own.length; at += 2) void reply.header(own[at]!, own[at + 1]!);
    done();
  });
}
