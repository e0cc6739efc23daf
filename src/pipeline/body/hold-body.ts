import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestTooLarge } from '../../errors/catalogue.js';
import type { RequestContext } from '../../request-context/request-context.js';
import type { BodyMemory } from './body-memory.js';
import { readBody } from './read-body.js';

export interface HoldBounds {
  readonly bytesMax: number;
  readonly idleTimeoutMs: number;
  readonly memory: BodyMemory;
  /** Whose share of the memory it is: a key's id. */
  readonly holder: string;
}

/**
 * The whole body of a request, its memory given back when the answer has ended.
 * @throws GatewayError `request_too_large` before a byte is read where it is announced so, else as `readBody`
 */
export function holdBody(request: FastifyRequest, reply: FastifyReply, bounds: HoldBounds): Promise<Buffer> {
  const { raw: req, ctx } = request;
  const { bytesMax, idleTimeoutMs } = bounds;
  refuseAnnounced(request, bytesMax);
  if (ctx.awaitsContinue) {
    ctx.awaitsContinue = false;
    reply.raw.writeContinue();
  }
  return readBody(req, { bytesMax, idleTimeoutMs, take: memoryFor(ctx, bounds) });
}

/** @throws GatewayError `request_too_large` for a body that announces more than `bytesMax` */
export function refuseAnnounced({ raw }: FastifyRequest, bytesMax: number): void {
  if (Number(raw.headers['content-length']) > bytesMax) throw requestTooLarge(bytesMax);
}

/** Memory for the pieces of one body. */
function memoryFor(ctx: RequestContext, { memory, holder }: HoldBounds): (bytes: number) => Promise<void> | undefined {
  let held = 0;
  let ended = false;
  ctx.onEnded = () => {
    ended = true;
    memory.release(holder, held);
  };
  return (bytes) => {
    const taken = () => {
      // It may have been waited for until after the client had gone.
      if (ended) memory.release(holder, bytes);
      else held += bytes;
    };
    const wait = memory.take(holder, bytes);
    if (wait !== undefined) return wait.then(taken);
    taken();
    return undefined;
  };
}
