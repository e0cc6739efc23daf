import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { isAnthropicClient } from '../request-context/anthropic-client.rules.js';
import type { RequestContext } from '../request-context/request-context.js';
import { UNREAD_MS } from '../http-server/own-response.js';
import { accountSecrets, type UpstreamName } from '../upstream/account.js';
import { stripCredentialParameters } from '../upstream/query.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { ConversionMemory } from '../fairness/response-memory.js';
import type { ForwardPlan } from './forward-plan.js';
import { ForwardedResponse } from './forwarded-response.js';
import { UploadStream } from './upload-stream.js';
import { shown } from './upstream-refusal.js';
import { ResponseMeter } from './metering/response-meter.js';
import { ResponseFactsReader } from './metering/response-facts.js';
import type { ReportedError } from './metering/response-report.js';
import { TokenEstimator } from './metering/estimate/token-estimator.service.js';
import { USAGE_FORMATS, type UsageReader } from './metering/usage-formats.data.js';

/** `RouteGuard` checks the prefix. */
const PREFIX_LENGTH = '/v1'.length;
const UNCHANGED: ForwardPlan = {};
/** Of reloaded credentials, the newest */
const SECRETS_MAX = 8;

@Injectable()
export class ForwardService {
  /** A client that reads nothing for this long, at least two minutes, counts as disconnected. */
  protected readonly stuckClientMs: number = UNREAD_MS;

  private secrets: readonly string[];
  private readonly streams = { open: 0 };
  private readonly conversions = new ConversionMemory();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: Config,
    private readonly estimator: TokenEstimator,
  ) {
    this.secrets = accountSecrets(config);
    config.reloads.subscribe((values) => {
      const reloaded = accountSecrets({ upstreamApiKey: null, upstreamMessagesApiKey: null, ...values });
      // Responses to requests with the old credential can still arrive.
      this.secrets = [...new Set([...reloaded, ...this.secrets])].slice(0, SECRETS_MAX);
    });
  }

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
   * @throws GatewayError 502 or 503; 400, 408 or 413 for a streamed body. If the response headers were already sent, the
   *   connection is closed before this rejects
   */
  forward(
    ctx: RequestContext,
    request: FastifyRequest,
    reply: FastifyReply,
    plan: ForwardPlan = UNCHANGED,
  ): Promise<void> {
    if (reply.raw.destroyed) {
      reply.hijack();
      return Promise.resolve();
    }
    const path = plan.path ?? request.raw.url!.slice(PREFIX_LENGTH);
    const { name, usageReader } = this.routeOf(ctx, request);
    const traceparent = ctx.trace?.beginUpstream(ctx, name, path);
    ctx.body.releaseJson();
    const own = traceparent === undefined ? plan.headers : { ...plan.headers, traceparent };
    const headers = this.upstream.requestHeaders(request.raw.headers, name, own);
    const given = plan.body ?? ctx.body.bytes;
    const upload = given === null || Buffer.isBuffer(given) ? null : this.uploadOf(given, headers, ctx, reply);
    const response = new ForwardedResponse(ctx, {
      meter: usageReader === null ? null : this.meterOf(ctx, usageReader, name),
      reply,
      secrets: this.secrets,
      relay: this.config.upstreamErrors === 'relay',
      stuckClientMs: this.stuckClientMs,
      streams: this.streams,
      converter: plan.converter ?? null,
      conversions: this.conversions,
      upload,
      isFile: plan.returnsFile ?? false,
    });
    const body = Buffer.isBuffer(given) ? given : upload;
    const call = { holder: ctx.key!.id, method: ctx.method, path: stripCredentialParameters(path), headers, body };
    this.upstream.send(call, response, name);
    return response.ended;
  }

  private meterOf(ctx: RequestContext, reader: UsageReader, upstream: UpstreamName): ResponseMeter {
    const onError = (error: ReportedError) => this.noteError(ctx, upstream, error);
    const facts = ctx.trace?.sampled === true ? new ResponseFactsReader(this.secrets) : null;
    ctx.upstream.facts = facts;
    return new ResponseMeter(ctx, reader, this.estimator, onError, facts);
  }

  private routeOf(
    { route }: RequestContext,
    { raw }: FastifyRequest,
  ): { name: UpstreamName; usageReader: UsageReader | null } {
    if (route?.kind !== 'gateway') return { name: 'default', usageReader: null };
    const { current, routes } = this.config;
    const usage = routes === 'all' ? (route.usageOfAll ?? route.usage) : route.usage;
    const isAnthropic = route.sharedPath === true && current && isAnthropicClient(raw);
    return {
      name: isAnthropic ? 'messages' : route.upstream,
      usageReader: usage === null ? null : USAGE_FORMATS[usage],
    };
  }

  /** The request has failed although its response has a success status (D5). */
  private noteError(ctx: RequestContext, upstream: UpstreamName, { message }: ReportedError): void {
    ctx.response.errorReported = true;
    ctx.response.errorCode ??= 'upstream_error';
    ctx.response.errorMessage ??= message === null ? 'The upstream reported an error.' : shown(message, this.secrets);
    this.upstream.countErrorObject(upstream);
  }

  /** Adds the announced length to `headers`. */
  private uploadOf(
    req: IncomingMessage,
    headers: string[],
    ctx: RequestContext,
    reply: FastifyReply,
  ): UploadStream | null {
    const length = req.headers['content-length'];
    if (Number(length ?? 0) === 0 && req.headers['transfer-encoding'] === undefined) return null;
    if (length !== undefined) headers.push('content-length', length);
    const { fileMaxBytes, bodyIdleTimeoutMs, upstreamIdleTimeoutMs } = this.config;
    const upload = new UploadStream(req, {
      bytesMax: fileMaxBytes,
      clientIdleMs: bodyIdleTimeoutMs,
      upstreamIdleMs: upstreamIdleTimeoutMs,
    });
    return upload.once('begin', () => {
      if (!ctx.client.awaitsContinue) return;
      ctx.client.awaitsContinue = false;
      reply.raw.writeContinue();
    });
  }
}
