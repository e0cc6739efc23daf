import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../platform/config/config.js';
import type { Api } from '../platform/config/upstreams/upstreams-file.js';
import { ConversionMemory } from './response-memory.js';
import { UNREAD_MS } from '../platform/patches/node-unread-response.js';
import { isAnthropicClient, type RequestContext } from '../platform/request-context/request-context.js';
import { RoutedCall, type RoutedRequest } from '../upstream/routing/routed-call.js';
import { Router, type Choice } from '../upstream/routing/router.service.js';
import { CostRecorder } from '../stats/cost-recorder.service.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import type { UpstreamSink } from '../upstream/send-contract.js';
import type { ForwardPlan, ResponseOptions, SentAttempt } from './forward-plan.js';
import { ForwardedRequest } from './forwarded-request.js';
import { ForwardedResponse } from './forwarded-response.js';
import { ResponseFactsReader } from './metering/response-facts.js';
import { ResponseMeter } from './metering/response-meter.js';
import type { ReportedError } from './metering/response-report.js';
import { TokenEstimator } from './metering/estimate/token-estimator.service.js';
import { USAGE_FORMATS, type UsageReader } from './metering/usage-formats.data.js';
import { UploadStream } from './upload-stream.js';
import { hidesUsage, withUsageRequest } from './usage-request.js';
import { UsageChunkFilter } from './usage-chunk-filter.js';
import { messageIn, safeMessage } from './upstream-refusal.js';

const UNCHANGED: ForwardPlan = {};

/**
 * How a stream reports usage that limits count.
 * - `ask`: the gateway asks for it, and removes the answer.
 * - `hidden`: nobody asks for it.
 */
type UsageRequest = 'ask' | 'hidden' | null;

interface Exchange {
  readonly ctx: RequestContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly plan: ForwardPlan;
  readonly api: Api;
  readonly usageReader: UsageReader | null;
  readonly usageRequest: UsageRequest;
}

type AttemptOptions = Pick<ResponseOptions, 'attempt' | 'captureObjects' | 'upload'>;

@Injectable()
export class ForwardService {
  /** A client that reads nothing for this long, at least two minutes, counts as disconnected. */
  protected readonly stuckClientMs: number = UNREAD_MS;

  private readonly streams = { open: 0 };
  protected readonly conversions = new ConversionMemory();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: Config,
    private readonly estimator: TokenEstimator,
    private readonly router: Router,
    private readonly costs: CostRecorder,
  ) {}

  /** Event streams to clients, for metrics. */
  get streamsOpen(): number {
    return this.streams.open;
  }

  /**
   * Forwards the request to the same path of the upstream, and the response to `reply`, unless `plan` overrides this. Sets
   * `stream` and the fields of stage 8 in `ctx`. Resolves when the response has ended, or the client has disconnected.
   * @throws GatewayError 502 or 503; 400, 408 or 413 for a streamed body; the errors of `Router.choose`. If the response headers
   *   were already sent, the connection is closed before this rejects
   */
  forward(
    ctx: RequestContext,
    request: FastifyRequest,
    reply: FastifyReply,
    plan: ForwardPlan = UNCHANGED,
  ): Promise<void> {
    if (reply.raw.destroyed) return abandoned(reply);
    const exchange = {
      ctx,
      request,
      reply,
      plan,
      ...this.routeOf(ctx, request),
      usageRequest: this.usageRequestOf(ctx),
    };
    const choice = this.router.choose(ctx, exchange.api, request);
    if (!(choice instanceof Promise)) return this.send(choice, exchange);
    return choice.then((chosen) => (reply.raw.destroyed ? abandoned(reply) : this.send(chosen, exchange)));
  }

  private send({ candidates: chosen, fallbacks, objects, ...choice }: Choice, exchange: Exchange): Promise<void> {
    const { ctx, plan } = exchange;
    const candidates = plan.perUpstream === undefined ? chosen : plan.perUpstream.servable(chosen);
    const { upstream: attempted } = ctx;
    const { upstream: first } = candidates[0]!;
    // Without a name, clients and operators see neither the upstream nor its attempts.
    attempted.name = first.isNamed ? first.name : null;
    const sent = this.requestOf(exchange);
    const capture = objects === null ? null : () => objects.succeeded(attempted.name!);
    const latest: SentAttempt = { headers: [], converter: null, call: null };
    const response = this.responseOf(exchange, { attempt: latest, captureObjects: capture, upload: sent.upload });
    const routed: RoutedRequest = {
      ...choice,
      candidates,
      // A plan for each upstream depends on the model.
      fallbacks: plan.perUpstream === undefined ? fallbacks : null,
      deadlineMs: this.config.upstreams?.file.failoverDeadlineMs ?? Infinity,
      messageOf: (body) => this.errorMessageIn(body),
      canRepeat: () => sent.canRepeat,
      send: (candidate, sink: UpstreamSink, connectMsMax) => {
        const { upstream } = candidate;
        const last = attempted.attempts.at(-1);
        if (last !== undefined) ctx.trace?.endUpstream(last.status, last.error);
        attempted.account = upstream;
        if (upstream.isNamed) {
          attempted.name = upstream.name;
          attempted.model = candidate.model === '' ? null : candidate.model;
          attempted.fallback = candidate.requested === (ctx.model ?? '') ? null : candidate.requested;
        }
        const attemptPlan = sent.planFor(candidate);
        latest.headers = upstream.accountHeaders[exchange.api];
        latest.converter = attemptPlan.converter ?? null;
        this.upstream.send(sent.to(candidate, attemptPlan, connectMsMax), sink, upstream);
      },
      onAttempt: (attempt) => attempted.attempts.push(attempt),
    };
    latest.call = new RoutedCall(routed, response);
    latest.call.start();
    ctx.body.releaseJson();
    return response.ended;
  }

  private errorMessageIn(body: Buffer): string | null {
    const message = messageIn(body.toString());
    return message === null ? null : safeMessage(message, this.upstream.secrets);
  }

  private usageRequestOf(ctx: RequestContext): UsageRequest {
    if (!hidesUsage(ctx)) return null;
    return this.config.usageRequests === 'limits' ? 'ask' : 'hidden';
  }

  private requestOf({ ctx, request, reply, plan, api, usageRequest }: Exchange): ForwardedRequest {
    const given = plan.body ?? ctx.body.bytes;
    const upload = given === null || Buffer.isBuffer(given) ? null : this.uploadOf(given, ctx, reply);
    let body = Buffer.isBuffer(given) ? given : null;
    if (body !== null && usageRequest === 'ask') body = withUsageRequest(body, ctx.body.json?.['stream_options']);
    return new ForwardedRequest({ ctx, incoming: request.raw, plan, api, body, upload }, this.upstream);
  }

  private responseOf(exchange: Exchange, { attempt, captureObjects, upload }: AttemptOptions): ForwardedResponse {
    const { ctx, reply, plan, usageReader, usageRequest } = exchange;
    const { secrets } = this.upstream;
    return new ForwardedResponse(ctx, {
      meter: usageReader === null ? null : this.meterOf(exchange, usageReader, attempt),
      costOf: this.config.costHeader ? (priced) => this.costs.exactCostOf(priced) : null,
      reply,
      secrets,
      credentials: () => ({ headers: attempt.headers, secrets }),
      relay: this.config.upstreamErrors === 'relay',
      stuckClientMs: this.stuckClientMs,
      streams: this.streams,
      attempt,
      // Unused if the attempt has a converter, which removes the chunk itself.
      streamFilter: usageRequest === 'ask' ? new UsageChunkFilter() : null,
      conversions: this.conversions,
      upload,
      isFile: plan.returnsFile ?? false,
      captureObjects,
    });
  }

  private meterOf({ ctx, request, usageRequest }: Exchange, reader: UsageReader, attempt: SentAttempt): ResponseMeter {
    const onError = (error: ReportedError) => this.noteError(ctx, error, attempt);
    // Without a model in the request, such as for an assistant's run, only the response names the one to price.
    const isNamed = ctx.model !== null || ctx.method !== 'POST';
    const facts = ctx.trace?.sampled !== true && isNamed ? null : new ResponseFactsReader(this.upstream.secrets);
    ctx.upstream.facts = facts;
    const usageOfObject = objectOf(ctx, request);
    return new ResponseMeter(ctx, reader, {
      estimator: this.estimator,
      onError,
      facts,
      usageHidden: usageRequest === 'hidden',
      usageOfObject,
    });
  }

  private routeOf(
    { route }: RequestContext,
    { raw }: FastifyRequest,
  ): { readonly api: Api; readonly usageReader: UsageReader | null } {
    if (route?.kind !== 'gateway') return { api: 'openai', usageReader: null };
    const { isCurrentProfile, routes } = this.config;
    const own = routes === 'all' ? (route.usageOfAll ?? route.usage) : route.usage;
    const usage = route.laterUsage ?? own;
    const isAnthropic = route.sharedPath === true && isCurrentProfile && isAnthropicClient(raw);
    return {
      api: isAnthropic ? 'anthropic' : route.api,
      usageReader: usage === null ? null : USAGE_FORMATS[usage],
    };
  }

  /** The request has failed although its response has a success status (D5). */
  private noteError(ctx: RequestContext, { message, json }: ReportedError, { call }: SentAttempt): void {
    const { secrets } = this.upstream;
    ctx.response.errorReported = true;
    ctx.response.errorCode ??= 'upstream_error';
    ctx.response.errorMessage ??= message === null ? 'The upstream reported an error.' : safeMessage(message, secrets);
    const upstream = this.upstream.byName(ctx.upstream.account!.name);
    if (upstream !== undefined) upstream.failures.error_object += 1;
    call?.noteReportedError(json);
  }

  /** @returns null for a request without a body */
  private uploadOf(req: IncomingMessage, ctx: RequestContext, reply: FastifyReply): UploadStream | null {
    const length = req.headers['content-length'];
    if (Number(length ?? 0) === 0 && req.headers['transfer-encoding'] === undefined) return null;
    const { fileMaxBytes, bodyIdleTimeoutMs: idleMs, bodyBytesPerSecondMin: bytesPerSecondMin } = this.config;
    const upload = new UploadStream(req, {
      bytesMax: fileMaxBytes,
      pace: { idleMs, bytesPerSecondMin, totalMs: Infinity },
      upstreamIdleMs: this.config.upstreamIdleTimeoutMs,
    });
    return upload.once('begin', () => {
      if (!ctx.client.awaitsContinue) return;
      ctx.client.awaitsContinue = false;
      reply.raw.writeContinue();
    });
  }
}

/** The client has disconnected. Keeps Fastify from sending a response. */
function abandoned(reply: FastifyReply): Promise<void> {
  reply.hijack();
  return Promise.resolve();
}

/** The object whose usage the response reports: that of the last path parameter. */
function objectOf({ route }: RequestContext, { params }: FastifyRequest): string | null {
  if (route?.kind !== 'gateway' || route.laterUsage === undefined) return null;
  return Object.values(params as Record<string, string>).at(-1) ?? null;
}
