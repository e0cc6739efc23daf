import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestTooLarge } from '../../errors/catalogue.js';
import type { RequestContext } from '../../request-context/request-context.js';
import type { BodyMemory } from '../../fairness/body-memory.js';
import type { ParseQueue } from '../../fairness/parse-queue.js';
import { structureOf, parsedBytes } from '../../json/json-structure.js';
import { readBody } from './read-body.js';

interface HoldBounds {
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
  const held = new HeldMemory(bounds.memory, bounds.holder);
  const giveBack = () => held.giveBack();
  ctx.onEnded = giveBack;
  const beganAtMs = performance.now();
  const onOver = () => (ctx.bodyWaitMs = performance.now() - beganAtMs);
  return readBody(req, { bytesMax, idleTimeoutMs, memory: held, onOver });
}

/**
 * Memory for what a held body becomes when it is parsed, until that has been judged, and its turn to be; a body that would
 * take more than its holder can have takes all of that.
 * @returns undefined where both are there, else a promise of them that rejects with `service_unavailable`
 */
export function holdParsed(
  ctx: RequestContext,
  body: Buffer,
  turns: ParseQueue,
  holder: string,
): Promise<void> | undefined {
  const structure = structureOf(body);
  ctx.bodyMembers = structure?.members ?? null;
  const bytes = Math.min(parsedBytes(structure), turns.shareMax);
  const wait = bytes === 0 ? undefined : holdFor(ctx, new HeldMemory(turns, holder), bytes);
  // What had to wait for its memory has a turn of the event loop for itself.
  return wait ?? turns.enter(holder, body.length);
}

function holdFor(ctx: RequestContext, held: HeldMemory, bytes: number): Promise<void> | undefined {
  const before = ctx.onEnded;
  const giveBack = () => held.giveBack();
  const giveBackAll = () => {
    before?.();
    giveBack();
  };
  ctx.onJudged = giveBack;
  ctx.onEnded = giveBackAll;
  return held.take(bytes);
}

/** @throws GatewayError `request_too_large` for a body that announces more than `bytesMax` */
export function refuseAnnounced({ raw }: FastifyRequest, bytesMax: number): void {
  if (Number(raw.headers['content-length']) > bytesMax) throw requestTooLarge(bytesMax);
}

/** Memory for the pieces of one body. */
class HeldMemory {
  private bytes = 0;
  private ended = false;

  constructor(
    private readonly memory: BodyMemory,
    private readonly holder: string,
  ) {}

  take(bytes: number): Promise<void> | undefined {
    const wait = this.memory.take(this.holder, bytes);
    if (wait !== undefined) return wait.then(() => this.taken(bytes));
    this.taken(bytes);
    return undefined;
  }

  giveBack(): void {
    this.ended = true;
    this.memory.release(this.holder, this.bytes);
    this.bytes = 0;
  }

  private taken(bytes: number): void {
    // It may have been waited for until after the client had gone.
    if (this.ended) this.memory.release(this.holder, bytes);
    else this.bytes += bytes;
  }
}
