import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import { requestTooLarge } from '../errors/catalogue.js';
import { GatewayError } from '../errors/gateway-error.js';
import { RefusalConfirmation } from '../request-context/refusal-confirmation.js';
import type { RequestContext } from '../request-context/request-context.js';
import { BODY_BYTES_MAX } from '../routes/gateway-route.decorator.js';
import { BodyMemory } from './body/body-memory.js';
import { parseJsonObject, refuseTwoReadings, requireJsonContentType } from './body/json-body.js';
import { readBody } from './body/read-body.js';

const ADMIN = 'admin';

/** Stage 4: content type, size, JSON, object. Leaves the client's bytes and the parsed object in the context. */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly memory: BodyMemory,
    private readonly refusals: RefusalConfirmation,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { ctx } = request;
    if (ctx.contentType !== undefined) request.raw.headers['content-type'] = ctx.contentType;
    if (ctx.route?.kind === 'gateway') {
      return ctx.route.body === 'none' ? true : this.readGatewayBody(request, http.getResponse<FastifyReply>());
    }
    if (ctx.route?.kind !== 'admin' || ctx.method === 'GET') return true;
    return this.readAdminBody(request, http.getResponse<FastifyReply>());
  }

  private async readGatewayBody(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { ctx } = request;
    try {
      requireJsonContentType(ctx.contentType);
      ctx.body = await this.read(request, reply, ctx.key!.id);
      ctx.json = parseJsonObject(ctx.body);
      refuseTwoReadings(ctx.body);
      ctx.stream = ctx.json['stream'] === true;
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return this.refusals.confirm(ctx, error);
    }
  }

  /** No body at all leaves null: where every field is optional, it counts as `{}` (D16). */
  private async readAdminBody(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const body = await this.read(request, reply, ADMIN);
    request.ctx.json = body.length === 0 ? null : parseJsonObject(body);
    return true;
  }

  private read(request: FastifyRequest, reply: FastifyReply, holder: string): Promise<Buffer> {
    const { raw: req, ctx } = request;
    const bytesMax = bytesMaxOf(ctx);
    if (Number(req.headers['content-length']) > bytesMax) throw requestTooLarge(bytesMax);
    if (ctx.awaitsContinue) {
      ctx.awaitsContinue = false;
      reply.raw.writeContinue();
    }
    return readBody(req, { bytesMax, idleTimeoutMs: this.config.bodyIdleTimeoutMs, take: this.memoryFor(ctx, holder) });
  }

  /** Memory for the pieces of one body, given back when the answer has ended. */
  private memoryFor(ctx: RequestContext, holder: string): (bytes: number) => Promise<void> | undefined {
    let held = 0;
    let ended = false;
    ctx.onEnded = () => {
      ended = true;
      this.memory.release(holder, held);
    };
    return (bytes) => {
      const taken = () => {
        // It may have been waited for until after the client had gone.
        if (ended) this.memory.release(holder, bytes);
        else held += bytes;
      };
      const wait = this.memory.take(holder, bytes);
      if (wait !== undefined) return wait.then(taken);
      taken();
      return undefined;
    };
  }
}

/** Bytes of body that this request may have. */
export const bytesMaxOf = (ctx: RequestContext): number =>
  ctx.route?.kind === 'gateway' ? ctx.route.bodyBytesMax : BODY_BYTES_MAX;
