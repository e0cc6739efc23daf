import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { routeNotFound } from '../errors/catalogue.js';
import type { RequestContext } from '../request-context/request-context.js';
import { stripCredentialParameters } from '../upstream/query.js';
import { upstreamRequestHeaders } from '../upstream/request-headers.js';
import { UpstreamClient } from '../upstream/upstream-client.js';
import { ForwardedAnswer } from './forwarded-answer.js';
import type { UsageReader } from './usage/usage-reader.js';
import { USAGE_READERS } from './usage/usage-readers.js';

const PREFIX = '/v1';

/** The one way of a request to the upstream and of its answer back. */
@Injectable()
export class ForwardService {
  /** A client that leaves its answer unread for so long is taken for gone: milliseconds, two minutes at the least. */
  protected readonly stuckClientMs: number = 120_000;

  private readonly secrets: readonly string[];

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly config: Config,
  ) {
    this.secrets = config.upstreamApiKey === null ? [] : [config.upstreamApiKey];
  }

  /**
   * Sends `ctx.body` to the same path under the upstream's base URL and the answer to `reply`: a stream byte for byte as
   * it comes, a JSON answer of up to 1 MB whole. Leaves `upstreamLatencyMs`, `answeredModel`, `stream` and `usage` in
   * `ctx`, and ends the upstream request as soon as `ctx.onClientGone` is called.
   * @returns settled when the answer has ended; the client's going away is such an end
   * @throws GatewayError 502 or 503. Once the head has gone out the connection has been cut before, and nothing is left
   * to be written
   */
  forward(ctx: RequestContext, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (reply.raw.destroyed) {
      reply.hijack();
      return Promise.resolve();
    }
    const path = upstreamPath(request.raw.url ?? '');
    if (path === null) return Promise.reject(routeNotFound());
    ctx.stream = ctx.json?.['stream'] === true;
    const answer = new ForwardedAnswer(ctx, {
      reply,
      usageReader: usageReaderOf(ctx),
      secrets: this.secrets,
      stuckClientMs: this.stuckClientMs,
    });
    const headers = upstreamRequestHeaders(request.raw.headers, this.config.upstreamApiKey);
    answer.follow(this.upstream.send({ method: ctx.method, path, headers, body: ctx.body }, answer));
    return answer.ended;
  }
}

// Only what is below the prefix is the client's to say: a target like `http://elsewhere/v1/…` does not begin with it.
function upstreamPath(target: string): string | null {
  return target.startsWith(`${PREFIX}/`) ? stripCredentialParameters(target.slice(PREFIX.length)) : null;
}

const usageReaderOf = ({ route }: RequestContext): UsageReader | null =>
  route?.kind === 'gateway' && route.usage !== null ? USAGE_READERS[route.usage] : null;
