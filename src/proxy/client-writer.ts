import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** The side of the upstream that can be told to wait. */
interface Source {
  pause(): void;
  resume(): void;
}

interface WriterLimits {
  /** A client that has taken nothing for so long is gone: milliseconds. */
  readonly stuckMs: number;
}

/** Whoever takes as much within `stuckMs` reads. */
const STEP_BYTES = 256 * 1024;

/** Writes an answer to the client as it comes, no faster than the client reads. */
export class ClientWriter {
  private readonly res: ServerResponse;
  private full = false;
  private listens = false;
  private stuckTimer: NodeJS.Timeout | undefined;

  /** @param onStuck the client has not read for too long; its connection has been destroyed */
  constructor(
    private readonly reply: FastifyReply,
    private readonly source: Source,
    private readonly limits: WriterLimits,
    private readonly onStuck: () => void,
  ) {
    this.res = reply.raw;
  }

  /** @param headers flat; their order and case are kept */
  writeHead(status: number, headers: string[]): void {
    // Together with the headers: a hijacked reply without them would reach the client as an empty 200.
    this.reply.hijack();
    this.res.writeHead(status, headers);
  }

  /** Sends the head before there is a byte of the body. */
  flushHead(): void {
    this.res.flushHeaders();
  }

  write(chunk: Buffer): void {
    if (this.res.write(chunk) || this.full) return;
    this.full = true;
    this.source.pause();
    this.watch();
  }

  /** The end of what `write` has written. */
  end(): void {
    this.res.end();
    // It waits behind what was not taken before.
    if (this.res.writableLength > 0 && !this.full) this.watch();
  }

  /** A whole answer; no piece: an empty one. */
  endWith(pieces: readonly Buffer[]): void {
    const { res } = this;
    const [whole] = pieces;
    if (pieces.length > 1 || (whole !== undefined && whole.length > STEP_BYTES))
      return this.endInSteps(stepsOf(pieces));
    res.end(whole);
    // What the system has taken needs no timer.
    if (res.writableLength > 0) this.watch();
  }

  /** Ends the connection so that the client sees that the answer is not whole. */
  cut(): void {
    const { res } = this;
    const req: IncomingMessage = res.req;
    // Without length and chunks the end of the connection is a proper end: only a reset tells an HTTP/1.0 client.
    if (req.httpVersionMinor === 0) res.socket?.resetAndDestroy();
    res.destroy();
  }

  /** Of what is written at once Node tells only when all of it has been taken. */
  private endInSteps(steps: readonly (readonly Buffer[])[], from = 0): void {
    const { res } = this;
    for (let at = from; at < steps.length; at++) {
      let taken = true;
      // Several in one system call; `end()` lets all go.
      res.cork();
      for (const piece of steps[at]!) taken = res.write(piece);
      if (at === steps.length - 1) return this.end();
      res.uncork();
      if (taken) continue;
      this.watch();
      res.once('drain', () => this.endInSteps(steps, at + 1));
      return;
    }
  }

  private watch(): void {
    clearTimeout(this.stuckTimer);
    // No less than two minutes in use: a slow reader of a large answer drains the buffers every few seconds only.
    this.stuckTimer = setTimeout(() => {
      this.cut();
      this.onStuck();
    }, this.limits.stuckMs);
    if (this.listens) return;
    this.listens = true;
    this.res.on('drain', () => this.onDrain());
    this.res.once('close', () => clearTimeout(this.stuckTimer));
  }

  private onDrain(): void {
    clearTimeout(this.stuckTimer);
    if (!this.full) return;
    this.full = false;
    this.source.resume();
  }
}

/** `pieces` in groups of `STEP_BYTES` at most, without a copy. */
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
