import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestTimeout, requestTooLarge } from '../../../platform/errors/error-factories.js';
import type { GatewayError } from '../../../platform/errors/gateway-error.js';
import { type BodyMemory, HeldMemory } from '../../../platform/fairness/body-memory.js';
import { brokenBefore, brokenBy, endedEarly } from '../../../platform/patches/node-protocol-errors.js';
import { ChunkBuffer } from '../../../platform/request-context/chunk-buffer.js';

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
  rejectAnnounced(req, bytesMax);
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

/** Rejects a body that is too large by its `Content-Length`. @throws GatewayError `request_too_large` */
export function rejectAnnounced({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length']) > bytesMax) throw requestTooLarge(bytesMax);
}

interface BodyBounds {
  readonly bytesMax: number;
  /** A slower body is rejected with 408. The time that the gateway waits for memory does not count. */
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
    const chunks = new ChunkBuffer();
    let bytes = 0;
    let isOver = false;
    const deadline = new BodyDeadline(bounds.pace, () => finish(requestTimeout()));

    function finish(error: GatewayError | null): void {
      if (isOver) return;
      isOver = true;
      deadline.pause();
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      bounds.onOver();
      if (error === null) return resolve(chunks.whole());
      req.pause();
      reject(error);
    }
    function onData(chunk: Buffer): void {
      deadline.received(chunk.length);
      bytes += chunk.length;
      if (bytes > bounds.bytesMax) return finish(requestTooLarge(bounds.bytesMax));
      const wait = bounds.memory.take(chunk.length);
      chunks.push(chunk);
      if (wait === undefined) return;
      req.pause();
      deadline.pause();
      wait.then(readOn, finish);
    }
    function readOn(): void {
      if (isOver) return;
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

/** How long a request body can take. All three limits lead to 408 `request_timeout` (D7). */
export interface BodyPace {
  /** The longest pause between two chunks. */
  readonly idleMs: number;
  /** The average rate. A body can fall behind it by `allowedLagMs`. 0: no minimum */
  readonly bytesPerSecondMin: number;
  /** The whole body. Infinity: no maximum */
  readonly totalMs: number;
}

const LAG_MS_MAX = 30_000;
const LAG_MS_MIN = 5_000;
const LAG_IDLE_TIMEOUTS = 5;

/** How far a body can fall behind the rate. A short idle timeout reduces it too, because it shows that slow clients are not expected. */
export const allowedLagMs = (idleMs: number): number =>
  Math.min(LAG_MS_MAX, Math.max(LAG_MS_MIN, LAG_IDLE_TIMEOUTS * idleMs));

/**
 * Ends the wait for a body that pauses too long, is too slow, or takes too long. One timer checks all three when the earliest of
 * them could have passed, so a chunk only updates two numbers. Time during which the gateway does not read is not counted.
 */
export class BodyDeadline {
  private timer: NodeJS.Timeout | undefined;
  /** The body's time zero by `performance.now()`. Each pause of the gateway moves it forward. */
  private originMs = performance.now();
  /** When the gateway stopped reading. Null while it reads */
  private pausedAtMs: number | null = this.originMs;
  private idleAtMs: number;
  private behindAtMs: number;
  private readonly msPerByte: number;
  /** How far a fast body can get ahead of the rate. At least the idle timeout, so that the rate never shortens a pause. */
  private readonly leadMsMax: number;

  /** @param onPassed called at most once */
  constructor(
    private readonly pace: BodyPace,
    private readonly onPassed: () => void,
  ) {
    const { idleMs, bytesPerSecondMin } = pace;
    const lagMs = allowedLagMs(idleMs);
    this.idleAtMs = idleMs;
    this.behindAtMs = bytesPerSecondMin === 0 ? Infinity : lagMs;
    // Without a minimum rate, this is infinite, so any byte covers any delay.
    this.msPerByte = 1000 / bytesPerSecondMin;
    this.leadMsMax = Math.max(lagMs, idleMs);
  }

  /** Call it when the gateway starts or resumes reading. */
  resume(): void {
    if (this.pausedAtMs === null) return;
    this.originMs += performance.now() - this.pausedAtMs;
    this.pausedAtMs = null;
    this.idleAtMs = this.elapsedMs() + this.pace.idleMs;
    this.timer = setTimeout(BodyDeadline.check, this.leftMs(), this);
  }

  /** Call it when the gateway stops reading, temporarily or for good. */
  pause(): void {
    this.pausedAtMs ??= performance.now();
    clearTimeout(this.timer);
  }

  received(bytes: number): void {
    const elapsedMs = this.elapsedMs();
    this.idleAtMs = elapsedMs + this.pace.idleMs;
    this.behindAtMs = Math.min(this.behindAtMs + bytes * this.msPerByte, elapsedMs + this.leadMsMax);
  }

  private elapsedMs(): number {
    return performance.now() - this.originMs;
  }

  private leftMs(): number {
    return Math.min(this.idleAtMs, this.behindAtMs, this.pace.totalMs) - this.elapsedMs();
  }

  private static check(this: void, deadline: BodyDeadline): void {
    const leftMs = deadline.leftMs();
    if (leftMs > 0) deadline.timer = setTimeout(BodyDeadline.check, leftMs, deadline);
    else deadline.onPassed();
  }
}
