import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { jsonTooComplex, requestTimeout, requestTooLarge } from '../../../platform/errors/error-factories.js';
import type { GatewayError } from '../../../platform/errors/gateway-error.js';
import type { BodyMemory } from '../../../platform/fairness/body-memory.js';
import type { ParseQueue } from '../../../platform/fairness/parse-queue.js';
import { BodyDeadline, type BodyPace } from './body-deadline.js';
import { brokenBefore, brokenBy, endedEarly } from '../../../platform/patches/node-protocol-errors.js';
import { ELEMENTS_MAX, excessIn, parsedBytes, structureOf } from '../../../platform/json/json-structure.js';
import { ChunkBuffer } from '../../../platform/request-context/chunk-buffer.js';
import type { RequestContext } from '../../../platform/request-context/request-context.js';

interface HoldBounds {
  readonly bytesMax: number;
  readonly pace: BodyPace;
  readonly memory: BodyMemory;
  readonly holder: string;
}

/** Reads the whole body and reserves memory for it until the response has ended. @throws the errors of `readBody` */
export function holdBody(request: FastifyRequest, reply: FastifyReply, bounds: HoldBounds): Promise<Buffer> {
  const { raw: req, ctx } = request;
  const { bytesMax, pace } = bounds;
  refuseAnnounced(request, bytesMax);
  if (ctx.client.awaitsContinue) {
    ctx.client.awaitsContinue = false;
    reply.raw.writeContinue();
  }
  const held = new HeldMemory(bounds.memory, bounds.holder);
  ctx.onEnd(() => held.release());
  const beganAtMs = performance.now();
  const onOver = () => (ctx.body.waitMs = performance.now() - beganAtMs);
  return readBody(req, { bytesMax, pace, memory: held, onOver });
}

/**
 * Reserves memory for the parsed body. A body that needs more than its holder's share takes the whole share. The memory is
 * released after the checks.
 * @returns undefined if the body can be parsed now, otherwise a promise that rejects with `service_unavailable` after 10 s
 * @throws GatewayError `invalid_json` for a body that would take seconds to parse and check
 */
export function holdParsed(
  ctx: RequestContext,
  body: Buffer,
  queue: ParseQueue,
  holder: string,
): Promise<void> | undefined {
  const elementsMax = elementsMaxOf(ctx, body);
  const structure = structureOf(body, elementsMax);
  const excess = excessIn(structure, elementsMax);
  if (excess !== null) throw jsonTooComplex(excess);
  ctx.body.structure = structure;
  const bytes = Math.min(parsedBytes(structure), queue.shareMax);
  const wait = bytes === 0 ? undefined : holdFor(ctx, new HeldMemory(queue, holder), bytes);
  // A body that waited for memory already has its own turn of the event loop.
  return wait ?? queue.enter(holder, body.length);
}

/** In a list of short requests. It is not read again for an estimate of tokens, which takes half of the time. */
const BYTES_PER_ELEMENT = 20;

function elementsMaxOf({ route }: RequestContext, body: Buffer): number {
  const isList = route?.kind === 'gateway' && route.requestsIn !== undefined;
  return isList ? Math.max(ELEMENTS_MAX, Math.floor(body.length / BYTES_PER_ELEMENT)) : ELEMENTS_MAX;
}

function holdFor(ctx: RequestContext, held: HeldMemory, bytes: number): Promise<void> | undefined {
  ctx.body.jsonMemory = held;
  ctx.onEnd(() => held.release());
  return held.take(bytes);
}

export function refuseAnnounced({ raw }: FastifyRequest, bytesMax: number): void {
  if (Number(raw.headers['content-length']) > bytesMax) throw requestTooLarge(bytesMax);
}

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

  release(): void {
    this.ended = true;
    this.memory.release(this.holder, this.bytes);
    this.bytes = 0;
  }

  private taken(bytes: number): void {
    // The client disconnected while the body waited.
    if (this.ended) this.memory.release(this.holder, bytes);
    else this.bytes += bytes;
  }
}

interface BodyBounds {
  readonly bytesMax: number;
  /** A slower body gets 408. The time that the gateway waits for memory does not count. */
  readonly pace: BodyPace;
  readonly memory: { take(bytes: number): Promise<void> | undefined };
  readonly onOver: () => void;
}

/**
 * Reads a whole request body. After an error, the rest stays unread. It uses `data` events, because an async iterator that
 * throws would destroy the socket and lose the response.
 * @throws GatewayError `request_too_large` as soon as the limit is exceeded, `request_timeout`, `service_unavailable`, or
 *   `bad_request` if the client disconnects or the framing is malformed
 */
export function readBody(req: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces = new ChunkBuffer();
    let bytes = 0;
    let finished = false;
    const deadline = new BodyDeadline(bounds.pace, () => finish(requestTimeout()));

    function finish(error: GatewayError | null): void {
      if (finished) return;
      finished = true;
      deadline.pause();
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      bounds.onOver();
      if (error === null) return resolve(pieces.whole());
      req.pause();
      reject(error);
    }
    function onData(chunk: Buffer): void {
      deadline.received(chunk.length);
      bytes += chunk.length;
      if (bytes > bounds.bytesMax) return finish(requestTooLarge(bounds.bytesMax));
      const wait = bounds.memory.take(chunk.length);
      pieces.push(chunk);
      if (wait === undefined) return;
      req.pause();
      deadline.pause();
      wait.then(readOn, finish);
    }
    function readOn(): void {
      if (finished) return;
      deadline.resume();
      req.resume();
    }
    const onEnd = () => finish(null);
    const onClose = () => finish(endedEarly());
    const onError = (error: Error) => finish(brokenBy(error));

    const broken = brokenBefore(req);
    if (broken !== undefined) return finish(broken);
    if (!req.complete) deadline.resume();
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
  });
}
