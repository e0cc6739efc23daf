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
    // Nowhere but here: a hijacked reply without a head would reach the client as an empty 200.
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

  /** A whole answer at once. */
  endWith(pieces: readonly Buffer[]): void {
    const { res } = this;
    const [whole] = pieces;
    if (pieces.length === 1 && whole!.length > STEP_BYTES) return this.endInSteps(whole!, 0);
    // Several in one system call; `end()` lets all go.
    if (pieces.length > 1) res.cork();
    for (const piece of pieces.slice(0, -1)) res.write(piece);
    res.end(pieces.at(-1));
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

  /** Of one long piece Node tells only when all of it has been taken. */
  private endInSteps(answer: Buffer, from: number): void {
    const to = Math.min(answer.length, from + STEP_BYTES);
    const taken = this.res.write(answer.subarray(from, to));
    if (to === answer.length) return this.end();
    if (taken) return this.endInSteps(answer, to);
    this.watch();
    this.res.once('drain', () => this.endInSteps(answer, to));
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
