import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { Guarded, type FaultHandler } from '../platform/errors/guarded.js';
import type { ResponseRedaction } from './redaction/response-redaction.js';

interface Source {
  pause(): void;
  resume(): void;
}

interface WriterLimits {
  /** A client that reads nothing for this long counts as disconnected. */
  readonly stuckMs: number;
}

interface WriterOwner extends FaultHandler {
  /** Called after the connection of a client that stopped reading has been destroyed. */
  abandon(): void;
}

/** A client that reads this much within `stuckMs` is not stuck. */
const STEP_BYTES = 256 * 1024;

/** Writes a response no faster than the client reads, and ends it if the client stops reading. */
export class ClientWriter implements FaultHandler {
  private readonly res: ServerResponse;
  private redaction: ResponseRedaction | null = null;
  private full = false;
  private listens = false;
  private stuckTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reply: FastifyReply,
    private readonly source: Source,
    private readonly limits: WriterLimits,
    private readonly owner: WriterOwner,
  ) {
    this.res = reply.raw;
  }

  fault(error: unknown): void {
    this.owner.fault(error);
  }

  /** Applies to the bytes of `write`. */
  redactWith(redaction: ResponseRedaction): void {
    this.redaction = redaction;
  }

  /** @param headers a flat list of names and values; order and case are kept */
  writeHead(status: number, headers: string[]): void {
    // Hijacked only now: a hijacked reply without headers would reach the client as an empty 200.
    this.reply.hijack();
    this.res.writeHead(status, headers);
  }

  /** Sends the headers before the first byte of the body exists. */
  flushHead(): void {
    this.res.flushHeaders();
  }

  write(chunk: Buffer): void {
    this.send(this.redaction === null ? chunk : this.redaction.push(chunk));
  }

  /** Ends a response that `write` has written. */
  end(): void {
    if (this.redaction !== null) this.send(this.redaction.end());
    this.finish();
  }

  /** Ends the response with a whole body, from which the caller has removed credentials. */
  endRedacted(pieces: readonly Buffer[]): void {
    const { res } = this;
    const [whole] = pieces;
    if (pieces.length > 1 || (whole !== undefined && whole.length > STEP_BYTES))
      return this.endInSteps(stepsOf(pieces));
    res.end(whole);
    // Bytes that the kernel has accepted need no timer.
    if (res.writableLength > 0) this.watch();
  }

  /** Closes the connection, so that the client can detect an incomplete response. */
  cut(): void {
    const { res } = this;
    const req: IncomingMessage = res.req;
    // In HTTP/1.0, a normal close ends a complete response. Only a reset shows that the response is incomplete.
    if (req.httpVersionMinor === 0) res.socket?.resetAndDestroy();
    res.destroy();
  }

  private send(bytes: Buffer): void {
    if (bytes.length === 0 || this.res.write(bytes) || this.full) return;
    this.full = true;
    this.source.pause();
    this.watch();
  }

  private finish(): void {
    this.res.end();
    // The response ends only after the client has read the buffered bytes.
    if (this.res.writableLength > 0 && !this.full) this.watch();
  }

  /** Node reports progress only when everything that was written has been read. */
  private endInSteps(steps: readonly (readonly Buffer[])[], from = 0): void {
    const { res } = this;
    for (let at = from; at < steps.length; at++) {
      let taken = true;
      res.cork();
      for (const piece of steps[at]!) taken = res.write(piece);
      if (at === steps.length - 1) return this.finish();
      res.uncork();
      if (taken) continue;
      this.watch();
      res.once('drain', () => this.onNextStep(steps, at + 1));
      return;
    }
  }

  @Guarded
  private onNextStep(steps: readonly (readonly Buffer[])[], from: number): void {
    this.endInSteps(steps, from);
  }

  /** Starts the timer for a client that stops reading. Each `drain` ends it. */
  private watch(): void {
    clearTimeout(this.stuckTimer);
    // The timeout is at least two minutes in production, because a slow reader of a large response drains the buffers only
    // every few seconds.
    this.stuckTimer = setTimeout(() => this.onStuck(), this.limits.stuckMs);
    if (this.listens) return;
    this.listens = true;
    this.res.on('drain', () => this.onDrain());
    this.res.once('close', () => clearTimeout(this.stuckTimer));
  }

  @Guarded
  private onStuck(): void {
    this.cut();
    this.owner.abandon();
  }

  @Guarded
  private onDrain(): void {
    clearTimeout(this.stuckTimer);
    if (!this.full) return;
    this.full = false;
    this.source.resume();
  }
}

/** Divides the pieces into steps of `STEP_BYTES`, without copying them. */
function stepsOf(pieces: readonly Buffer[]): Buffer[][] {
  const steps: Buffer[][] = [[]];
  let room = STEP_BYTES;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      if (room === 0) {
        steps.push([]);
        room = STEP_BYTES;
      }
      const part = piece.subarray(at, at + room);
      steps.at(-1)!.push(part);
      room -= part.length;
      at += part.length;
    }
  }
  return steps;
}
