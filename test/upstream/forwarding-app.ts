import fastify from 'fastify';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Config } from '../../src/platform/config/config.js';
import type { Api } from '../../src/platform/config/upstreams/upstreams-file.js';
import { upstreamError } from '../../src/platform/errors/error-factories.js';
import { GatewayError } from '../../src/platform/errors/gateway-error.js';
import type { ForwardPlan } from '../../src/proxy/forward-plan.js';
import { ForwardService } from '../../src/proxy/forward.service.js';
import { TokenEstimator } from '../../src/proxy/metering/estimate/token-estimator.service.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import '../../src/platform/request-context/context.decorator.js';
import type { Router } from '../../src/upstream/routing/router.service.js';
import type { CostRecorder } from '../../src/stats/cost-recorder.service.js';
import { ConversionMemory } from '../../src/proxy/response-memory.js';
import { UpstreamClient } from '../../src/upstream/upstream-client.js';
import type { Upstream } from '../../src/upstream/upstream.js';

export const UPSTREAM_KEY = 'upstream-account-credential';

/** Chooses the only upstream of an API. */
const onlyUpstream = (client: UpstreamClient): Router => {
  const choose: Router['choose'] = (_ctx, api) => ({
    candidates: [
      {
        upstream: client.first(api)!,
        model: '',
        requested: '',
        weight: null,
        repeatSent: false,
        failoverStatuses: [],
      },
    ],
    kind: 'inference',
    ownerUnknown: false,
    namesObject: false,
    owner: null,
    fallbacks: null,
    objects: null,
  });
  return { choose } as Partial<Router> as Router;
};
const NO_COSTS = { exactCostOf: () => null } as unknown as CostRecorder;

export interface ForwardingApp {
  readonly port: number;
  readonly upstream: UpstreamClient;
  /** One for each request, in order. */
  readonly contexts: readonly RequestContext[];
  /** The first upstream of `upstream`. */
  readonly first: Upstream;
  readonly conversions: ConversionMemory;
  /** Number of forwards that have not settled. */
  readonly running: number;
  /** Open client connections. */
  readonly connections: number;
  forget(): void;
  stop(): Promise<void>;
}

interface Given {
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stuckClientMs?: number;
  readonly ownHeaders?: readonly string[];
  readonly plan?: ForwardPlan;
  readonly api?: Api;
}

/** Starts `ForwardService` behind a bare Fastify that reads the body but does not check the request. */
export async function startForwarding({
  url,
  env = {},
  stuckClientMs = 120_000,
  ownHeaders = [],
  plan = {},
  api = 'openai',
}: Given): Promise<ForwardingApp> {
  const config = Config.from({ GW_UPSTREAM_BASE_URL: url, GW_UPSTREAM_API_KEY: UPSTREAM_KEY, ...env });
  const upstream = new UpstreamClient(config);
  const estimator = new TokenEstimator();
  class Forwarding extends ForwardService {
    protected override readonly stuckClientMs = stuckClientMs;
    override readonly conversions = new ConversionMemory();
  }
  const forwarding = new Forwarding(upstream, config, estimator, onlyUpstream(upstream), NO_COSTS);
  const contexts: RequestContext[] = [];
  let running = 0;
  let connections = 0;
  const app = fastify({ forceCloseConnections: true, exposeHeadRoutes: false, bodyLimit: 64 * 1024 * 1024 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.all('/v1/*', async (request, reply) => {
    const ctx = contextFor(request.method, request.body as Buffer | undefined, api);
    ctx.response.ownHeaders = () => [...ownHeaders];
    contexts.push(ctx);
    reply.raw.on('close', () => ctx.end());
    running += 1;
    try {
      await forwarding.forward(ctx, request, reply, plan);
    } catch (thrown) {
      const error = thrown instanceof GatewayError ? thrown : upstreamError(`not a GatewayError: ${String(thrown)}`);
      ctx.response.errorCode = error.code;
      reply.hijack();
      if (reply.raw.headersSent) reply.raw.destroy();
      else reply.raw.writeHead(error.status, { ...error.headers }).end(error.envelope(ctx.requestId));
    } finally {
      running -= 1;
    }
  });
  app.server.on('connection', (socket) => {
    connections += 1;
    socket.once('close', () => (connections -= 1));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    port: (app.server.address() as AddressInfo).port,
    upstream,
    first: upstream.all[0]!,
    conversions: forwarding.conversions,
    contexts,
    get running() {
      return running;
    },
    get connections() {
      return connections;
    },
    forget: () => void contexts.splice(0),
    stop: async () => {
      await app.close();
      await upstream.onApplicationShutdown();
      await estimator.beforeApplicationShutdown();
    },
  };
}

function contextFor(method: string, body: Buffer | undefined, api: Api): RequestContext {
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', method);
  ctx.route = {
    kind: 'gateway',
    endpoint: '/v1/chat/completions',
    body: 'json',
    bodyBytesMax: 1e7,
    model: 'gated',
    quota: 'counted',
    usage: 'chat',
    api,
  };
  ctx.key = { id: 'key' } as KeySnapshot;
  if (body !== undefined && body.length > 0) {
    ctx.body.bytes = body;
    const json = JSON.parse(body.toString()) as Record<string, unknown>;
    ctx.body.json = json;
    ctx.stream = json['stream'] === true;
  }
  return ctx;
}

/** A complete response as the client received it. */
interface ClientResponse {
  readonly status: number;
  /** Alternating names and values, unchanged. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The connection ended before the response. */
  readonly cut: boolean;
}

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export const CHAT = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] };
export const CHAT_STREAMED = { ...CHAT, stream: true };

/** Starts a request. Each test must read its response or call `destroy()`. */
export function begin(
  port: number,
  { method = 'POST', path = '/v1/chat/completions', headers, body = CHAT }: Call = {},
): ClientRequest {
  const bytes =
    method === 'GET' || method === 'HEAD'
      ? undefined
      : Buffer.isBuffer(body)
        ? body
        : Buffer.from(JSON.stringify(body));
  const type = bytes === undefined ? {} : { 'content-type': 'application/json' };
  const call = httpRequest({ port, host: '127.0.0.1', method, path, agent: false, headers: { ...type, ...headers } });
  call.on('error', () => {});
  call.end(bytes);
  return call;
}

export const headOf = (call: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => call.once('response', resolve).once('error', reject));

export async function bodyOf(response: IncomingMessage): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => {});
  response.resume();
  await new Promise((resolve) => response.once('close', resolve));
  return { body: Buffer.concat(chunks), cut: !response.complete };
}

export async function send(port: number, call: Call = {}): Promise<ClientResponse> {
  const response = await headOf(begin(port, call));
  const { statusCode = 0, rawHeaders, headers } = response;
  return { status: statusCode, rawHeaders, headers, ...(await bodyOf(response)) };
}

export const errorIn = (response: ClientResponse): { code: string; message: string; type: string } =>
  (JSON.parse(response.body.toString()) as { error: { code: string; message: string; type: string } }).error;
