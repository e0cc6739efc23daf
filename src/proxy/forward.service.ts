import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { speaksAnthropic } from '../request-context/anthropic-client.rules.js';
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
import type { ReportedError } from './metering/response-report.js';
import { TokenEstimator } from './metering/estimate/token-estimator.service.js';
import { USAGE_FORMATS, type UsageReader } from './metering/usage-formats.data.js';

/** With which every target of these routes begins: `RouteGuard`. */
const PREFIX_LENGTH = '/v1'.length;
const AS_IT_CAME: ForwardPlan = {};

/** The one way of a request to the upstream and of its answer back. */
@Injectable()
export class ForwardService {
  /** A client that leaves its answer unread for so long is taken for gone: milliseconds, two minutes at the least. */
  protected readonly stuckClientMs: number = UNREAD_MS;

  private readonly secrets: readonly string[];
  private readonly streams = { open: 0 };
  private readonly conversions = new ConversionMemory();

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: Config,
    private readonly estimator: TokenEstimator,
  ) {
    this.secrets = accountSecrets(config);
  }

  /** Event streams on their way to clients. */
  get streamsOpen(): number {
    return this.streams.open;
  }

  /** Bytes of answers that are held to be converted, beyond the first megabyte of each. */
  get conversionBytesHeld(): number {
    return this.conversions.bytesHeld;
  }

  /**
   * Sends `ctx.body.bytes` to the same path under the upstream's base URL and the answer to `reply`, or as `plan` says: a stream
   * byte for byte as it comes, a JSON answer of up to 1 MB whole. Leaves `upstreamLatencyMs`, `answeredModel`, `stream`,
   * `usage`, `estimate` and `sentWhole` in `ctx`, and aborts the upstream request when the client disconnects.
   * @returns settled when the answer has ended; the client's going away is such an end
   * @throws GatewayError 502 or 503; of a streamed body 400, 408 and 413 too. Once the head has gone out the connection
   * has been cut before, and nothing is left to be written
   */
  forward(
    ctx: RequestContext,
    request: FastifyRequest,
    reply: FastifyReply,
    plan: ForwardPlan = AS_IT_CAME,
  ): Promise<void> {
    if (reply.raw.destroyed) {
      reply.hijack();
      return Promise.resolve();
    }
    const path = plan.path ?? request.raw.url!.slice(PREFIX_LENGTH);
    ctx.body.releaseJson();
    const { name, usageReader } = this.routeOf(ctx, request);
    const onError = (error: ReportedError) => this.noteError(ctx, name, error);
    const traceparent = ctx.trace?.beginUpstream(name, ctx.method);
    const own = traceparent === undefined ? plan.headers : { ...plan.headers, traceparent };
    const headers = this.upstream.requestHeaders(request.raw.headers, name, own);
    const given = plan.body ?? ctx.body.bytes;
    const upload = given === null || Buffer.isBuffer(given) ? null : this.uploadOf(given, headers, ctx, reply);
    const response = new ForwardedResponse(ctx, {
      meter: usageReader === null ? null : new ResponseMeter(ctx, usageReader, this.estimator, onError),
      reply,
      secrets: this.secrets,
      relay: this.config.upstreamErrors === 'relay',
      stuckClientMs: this.stuckClientMs,
      streams: this.streams,
      converter: plan.converter ?? null,
      conversions: this.conversions,
      upload,
      isFile: plan.answersFile ?? false,
    });
    const body = Buffer.isBuffer(given) ? given : upload;
    const call = { holder: ctx.key!.id, method: ctx.method, path: stripCredentialParameters(path), headers, body };
    this.upstream.send(call, response, name);
    return response.ended;
  }

  /** Which upstream serves the request, and how its tokens are read. */
  private routeOf(
    { route }: RequestContext,
    { raw }: FastifyRequest,
  ): { name: UpstreamName; usageReader: UsageReader | null } {
    if (route?.kind !== 'gateway') return { name: 'default', usageReader: null };
    const { current, routes } = this.config;
    const usage = routes === 'all' ? (route.usageOfAll ?? route.usage) : route.usage;
    const isAnthropic = route.sharedPath === true && current && speaksAnthropic(raw);
    return {
      name: isAnthropic ? 'messages' : route.upstream,
      usageReader: usage === null ? null : USAGE_FORMATS[usage],
    };
  }

  /** The request has failed, although its response has a status of success (D5). */
  private noteError(ctx: RequestContext, upstream: UpstreamName, { message }: ReportedError): void {
    ctx.response.errorReported = true;
    ctx.response.errorCode ??= 'upstream_error';
    ctx.response.errorMessage ??= message === null ? 'The upstream reported an error.' : shown(message, this.secrets);
    this.upstream.countErrorObject(upstream);
  }

  /** The unread body as a stream, or null without a body. Adds its announced length to `headers`. */
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
