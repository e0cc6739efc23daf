import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { Config } from '../../src/platform/config/config.js';
import { ResponseCapture } from '../../src/proxy/metering/estimate/response-capture.js';
import { roughEstimate } from '../../src/proxy/metering/estimate/rough-estimate.js';
import type { TokenEstimator } from '../../src/proxy/metering/estimate/token-estimator.service.js';
import { CaptureMemory, ConversionMemory } from '../../src/proxy/response-memory.js';
import type { ForwardPlan } from '../../src/proxy/forward-plan.js';
import { ForwardService } from '../../src/proxy/forward.service.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../src/platform/request-context/request-context.js';
import type { RequestTrace } from '../../src/platform/request-context/request-trace.js';
import type { GatewayRouteSpec } from '../../src/platform/routes/route-spec.js';
import { ObjectCapture } from '../../src/upstream/routing/objects/object-capture.js';
import type { Choice, Router } from '../../src/upstream/routing/router.service.js';
import type { CostRecorder } from '../../src/stats/cost-recorder.service.js';
import type { UpstreamSink } from '../../src/upstream/send-contract.js';
import type { UpstreamCall } from '../../src/upstream/upstream-call.js';
import { UpstreamClient } from '../../src/upstream/upstream-client.js';
import type { Upstream } from '../../src/upstream/upstream.js';
import { ScriptedClient, type ClientView } from './scripted-client.js';

/** The response of a provider, as undici reports it. */
export interface ScriptedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: readonly Buffer[];
  /** With `hold`, the connection stays open, and nothing follows. */
  readonly ending: 'end' | 'reset' | 'hold';
}

export interface ScriptedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly body?: object | null;
  readonly route?: Partial<GatewayRouteSpec>;
  readonly plan?: ForwardPlan;
  readonly trace?: RequestTrace | null;
}

interface Given {
  readonly env?: Readonly<Record<string, string>>;
  /** Requests go through `RoutedCall`, and created objects are recorded. */
  readonly routed?: boolean;
}

/** Stops a test whose response never ends. */
const RESPONSE_MS_MAX = 20_000;
const DISCONNECTED = new Error('reset by the provider');
const memory = new CaptureMemory();
const estimator = {
  capture: () => new ResponseCapture(memory),
  estimate: (job: Parameters<typeof roughEstimate>[0]) => Promise.resolve(roughEstimate(job)),
} as unknown as TokenEstimator;
const NO_COSTS = { exactCostOf: () => null } as unknown as CostRecorder;
const OWNERS = { unrecorded: (ids: readonly string[]) => [...ids], record: () => Promise.resolve() };

class ScriptedForwarding extends ForwardService {
  override readonly conversions = new ConversionMemory();
}

/**
 * Runs exchanges through `ForwardService` and all classes behind it, without sockets: undici and the connections are scripted. Thousands
 * of exchanges per second are possible. Fake `setTimeout` and `clearTimeout`, so that held responses end.
 */
export class ScriptedExchanges {
  readonly upstream: Upstream;
  private readonly client: UpstreamClient;
  private readonly forwarding: ScriptedForwarding;
  private readonly connections: number;
  /** The last request, as undici handles it. */
  private sent: ScriptedDispatch | null = null;

  constructor({ env = {}, routed = false }: Given = {}) {
    const config = Config.from({ GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:9/v1', ...env });
    const client = new UpstreamClient(config);
    this.client = client;
    this.upstream = client.first('openai')!;
    this.connections = this.upstream.permits.free;
    for (const upstream of client.all) this.script(upstream);
    // The upstreams of `GW_UPSTREAMS` have visible names.
    if (routed) Object.defineProperty(this.upstream, 'isNamed', { value: true });
    const candidates = [{ upstream: this.upstream, model: 'gpt-4o-mini', repeatSent: false, failoverStatuses: [] }];
    const choice = {
      candidates,
      ownerUnknown: false,
      owner: null,
      fallbacks: null,
      objects: routed
        ? { succeeded: () => new ObjectCapture(OWNERS, 'default', { expires: true, marks: null }) }
        : null,
    } as unknown as Choice;
    const router = { choose: () => choice } as unknown as Router;
    this.forwarding = new ScriptedForwarding(client, config, estimator, router, NO_COSTS);
  }

  get faults(): number {
    return this.upstream.failures.internal;
  }

  /** Everything that an exchange must release. */
  get released(): object {
    const { permits } = this.upstream;
    return {
      permits: permits.free - this.connections,
      streams: this.forwarding.streamsOpen,
      conversionBytes: this.forwarding.conversions.bytesHeld,
    };
  }

  /**
   * Returns the response as the client received it.
   * @param respond drives the exchange after the request was sent
   */
  async run(
    request: ScriptedRequest,
    respond: (dispatch: ScriptedDispatch, client: ScriptedClient) => void | Promise<void>,
  ): Promise<ClientView> {
    const { method = 'POST', path = '/v1/chat/completions', plan, body = { model: 'gpt-4o-mini' } } = request;
    const client = new ScriptedClient(method, path);
    const ctx = contextOf(method, body, request);
    client.res.on('close', () => ctx.end());
    const incoming = { raw: client.res.req } as unknown as FastifyRequest;
    const ended = this.forwarding.forward(ctx, incoming, client.reply, plan).catch((error: unknown) => {
      client.reject(error, ctx);
    });
    let isSettled = false;
    void ended.then(() => (isSettled = true));
    await respond(this.sent!, client);
    const begunAtMs = Date.now();
    while (!isSettled || !client.isOver) {
      if (Date.now() - begunAtMs > RESPONSE_MS_MAX) throw new Error('the caller has no response');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return client.view(ctx);
  }

  send(sink: UpstreamSink): ScriptedDispatch {
    const request = { holder: 'key', method: 'POST', path: '/chat/completions', headers: [], body: null };
    this.client.send(request, sink, this.upstream);
    return this.sent!;
  }

  private script(upstream: Upstream): void {
    const client = {
      dispatch: (_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
        this.sent = new ScriptedDispatch(handler);
        this.sent.start();
      },
    };
    const connection = { client, requests: 1, idleSinceMs: null, idleMs: 0 };
    const pool = { take: () => connection, release: () => undefined, drop: () => undefined, onLost: () => undefined };
    Object.defineProperty(upstream, 'pool', { value: pool });
  }
}

/** Reports the events of one request as undici does. After an abort, it reports the error later. */
export class ScriptedDispatch implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  readonly reason = null;
  private over = false;

  constructor(private readonly handler: Dispatcher.DispatchHandler) {}

  /** The response has ended, or its connection is closed. */
  get isOver(): boolean {
    return this.over;
  }

  start(): void {
    this.handler.onRequestStart?.(this, {});
    this.handler.onRequestSent?.();
  }

  abort(reason: Error): void {
    if (this.aborted || this.over) return;
    this.aborted = true;
    queueMicrotask(() => this.fail(reason));
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  head(status: number, headers: IncomingHttpHeaders): void {
    if (!this.aborted) this.handler.onResponseStart?.(this, status, headers);
  }

  /** Simulates that nothing more arrives within the timeout, which begins when the client has read everything. */
  async timeOut(): Promise<void> {
    while (this.paused && !this.over) await new Promise((resolve) => setImmediate(resolve));
    if (!this.over) (this.handler as UpstreamCall).timedOut();
  }

  data(chunk: Buffer): void {
    if (!this.aborted) this.handler.onResponseData?.(this, chunk);
  }

  end(): void {
    if (this.aborted || this.over) return;
    this.over = true;
    this.handler.onResponseEnd?.(this, {});
  }

  fail(error: Error = DISCONNECTED): void {
    if (this.over) return;
    this.over = this.aborted = true;
    this.handler.onResponseError?.(this, error);
  }

  play({ status, headers, chunks, ending }: ScriptedResponse): void {
    this.head(status, headers);
    for (const chunk of chunks) this.data(chunk);
    if (ending === 'end') this.end();
    if (ending === 'reset') this.fail();
  }
}

function contextOf(method: string, body: object | null, { route, trace = null }: ScriptedRequest): RequestContext {
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', method);
  ctx.route = {
    kind: 'gateway',
    endpoint: '/v1/chat/completions',
    body: 'json',
    bodyBytesMax: 1e7,
    model: 'gated',
    quota: 'counted',
    usage: 'chat',
    api: 'openai',
    ...route,
  };
  ctx.key = { id: 'key' } as KeySnapshot;
  ctx.model = 'gpt-4o-mini';
  ctx.trace = trace;
  ctx.response.ownHeaders = () => ['x-request-id', ctx.requestId];
  if (body === null) return ctx;
  ctx.body.bytes = Buffer.from(JSON.stringify(body));
  ctx.body.json = body as Record<string, unknown>;
  ctx.stream = ctx.body.json['stream'] === true;
  return ctx;
}
