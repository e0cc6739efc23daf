import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../platform/config/config.js';
import type { Api } from '../platform/config/upstreams/upstreams-file.js';
import { ConversionMemory } from './response-memory.js';
import { UNREAD_MS } from '../platform/patches/node-unread-response.js';
import { isAnthropicClient, type RequestContext } from '../platform/request-context/request-context.js';
import { RoutedCall } from '../upstream/routing/routed-call.js';
import { Router, type Choice } from '../upstream/routing/router.service.js';
import { CostRecorder } from '../stats/cost-recorder.service.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import type { UpstreamSink } from '../upstream/upstream-exchange.js';
import type { ForwardPlan, ResponseOptions } from './forward-plan.js';
import { ForwardedRequest } from './forwarded-request.js';
import { ForwardedResponse } from './forwarded-response.js';
import { ResponseFactsReader } from './metering/response-facts.js';
import { ResponseMeter } from './metering/response-meter.js';
import type { ReportedError } from './metering/response-report.js';
import { TokenEstimator } from './metering/estimate/token-estimator.service.js';
import { USAGE_FORMATS, type UsageReader } from './metering/usage-formats.data.js';
import { UploadStream } from './upload-stream.js';
import { UsageChunkFilter } from './usage-chunk-filter.js';
import { hidesUsage, withUsageRequest } from './usage-request.js';
import { shown } from './upstream-refusal.js';

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

interface AccountOptions extends Pick<ResponseOptions, 'captureObjects'> {
  /** Returns the headers of the account that the request was last sent to. */
  readonly sentHeaders: () => readonly string[];
}

@Injectable()
export class ForwardService {
  /** A client that reads nothing for this long, at least two minutes, counts as disconnected. */
  protected readonly stuckClientMs: number = UNREAD_MS;

  private readonly streams = { open: 0 };
  private readonly conversions = new ConversionMemory();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: Config,
    private readonly estimator: TokenEstimator,
    private readonly router: Router,
    private readonly costs: CostRecorder,
  ) {}

  get streamsOpen(): number {
    return this.streams.open;
  }

  /** The first MiB of each response is not counted. */
  get conversionBytesHeld(): number {
    return this.conversions.bytesHeld;
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

  private send({ candidates, ownerUnknown, objects }: Choice, exchange: Exchange): Promise<void> {
    const { ctx } = exchange;
    const { upstream: attempted } = ctx;
    const { upstream: first } = candidates[0]!;
    // Without a name, clients and operators see neither the upstream nor its attempts.
    attempted.name = first.isNamed ? first.name : null;
    const sent = this.requestOf(exchange);
    const capture = objects === null ? null : () => objects.succeeded(attempted.name!);
    let headers: readonly string[] = [];
    const response = this.responseOf(exchange, sent.upload, { sentHeaders: () => headers, captureObjects: capture });
    const call = new RoutedCall(
      {
        candidates,
        ownerUnknown,
        canRepeat: () => sent.canRepeat,
        send: ({ upstream, model: sentModel }, sink: UpstreamSink, isLast) => {
          const model = sentModel === '' ? null : sentModel;
          const last = attempted.attempts.at(-1);
          if (last !== undefined) ctx.trace?.endUpstream(last.status, last.error);
          attempted.account = upstream;
          if (upstream.isNamed) {
            attempted.name = upstream.name;
            attempted.model = model;
          }
          headers = upstream.accountHeaders[exchange.api];
          this.upstream.send(sent.to(upstream, model, !isLast), sink, upstream);
        },
        onAttempt: (attempt) => attempted.attempts.push(attempt),
      },
      response,
    );
    call.start();
    ctx.body.releaseJson();
    return response.ended;
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

  private responseOf(
    { ctx, reply, plan, usageReader, usageRequest }: Exchange,
    upload: UploadStream | null,
    { sentHeaders, captureObjects }: AccountOptions,
  ): ForwardedResponse {
    const { secrets } = this.upstream;
    return new ForwardedResponse(ctx, {
      meter: usageReader === null ? null : this.meterOf(ctx, usageReader, usageRequest === 'hidden'),
      costOf: this.config.costHeader ? (priced) => this.costs.exactCostOf(priced) : null,
      reply,
      secrets,
      credentials: () => ({ headers: sentHeaders(), secrets }),
      relay: this.config.upstreamErrors === 'relay',
      stuckClientMs: this.stuckClientMs,
      streams: this.streams,
      converter: plan.converter ?? null,
      // The converter of an emulated completion removes the chunk itself.
      streamFilter: usageRequest === 'ask' && plan.converter === undefined ? new UsageChunkFilter() : null,
      conversions: this.conversions,
      upload,
      isFile: plan.returnsFile ?? false,
      captureObjects,
    });
  }

  private meterOf(ctx: RequestContext, reader: UsageReader, usageHidden: boolean): ResponseMeter {
    const onError = (error: ReportedError) => this.noteError(ctx, error);
    const facts = ctx.trace?.sampled === true ? new ResponseFactsReader(this.upstream.secrets) : null;
    ctx.upstream.facts = facts;
    return new ResponseMeter(ctx, reader, { estimator: this.estimator, onError, facts, usageHidden });
  }

  private routeOf(
    { route }: RequestContext,
    { raw }: FastifyRequest,
  ): { readonly api: Api; readonly usageReader: UsageReader | null } {
    if (route?.kind !== 'gateway') return { api: 'openai', usageReader: null };
    const { isCurrentProfile, routes } = this.config;
    const usage = routes === 'all' ? (route.usageOfAll ?? route.usage) : route.usage;
    const isAnthropic = route.sharedPath === true && isCurrentProfile && isAnthropicClient(raw);
    return {
      api: isAnthropic ? 'anthropic' : route.api,
      usageReader: usage === null ? null : USAGE_FORMATS[usage],
    };
  }

  /** The request has failed although its response has a success status (D5). */
  private noteError(ctx: RequestContext, { message }: ReportedError): void {
    const { secrets } = this.upstream;
    ctx.response.errorReported = true;
    ctx.response.errorCode ??= 'upstream_error';
    ctx.response.errorMessage ??= message === null ? 'The upstream reported an error.' : shown(message, secrets);
    const upstream = this.upstream.byName(ctx.upstream.account!.name);
    if (upstream !== undefined) upstream.failures.error_object += 1;
  }

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
