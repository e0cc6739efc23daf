import type { FastifyReply } from 'fastify';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { reportFault, type FaultHandler } from '../platform/errors/guarded.js';
import type { UpstreamExchange } from '../upstream/send-contract.js';
import { notProcessed } from '../upstream/upstream-failure.js';

/**
 * Ends a forwarded response exactly once: by `fail`, `abandon`, or a success of the subclass. A success calls `settle(null)` after the
 * last bytes are written, meters the response, and then calls `resolveEnded`. The other endings also abort the exchange, even if a
 * step before that throws.
 */
export abstract class ResponseEnding implements FaultHandler {
  protected exchange: UpstreamExchange | null = null;
  /** The ending has begun. Later events are ignored. */
  protected settled = false;
  private readonly outcome = Promise.withResolvers<void>();

  constructor(private readonly reply: FastifyReply) {}

  /** Resolves when the response is complete or abandoned, and rejects with a GatewayError. */
  get ended(): Promise<void> {
    return this.outcome.promise;
  }

  /** The client receives a 502, or its connection is closed. After the end of the response, the failure is only counted. */
  fault(error: unknown): void {
    this.exchange?.noteFault();
    if (!this.settled) return this.fail(notProcessed(error));
    reportFault(error);
    this.resolveEnded();
  }

  /** The client has disconnected, or does not read. */
  abandon(): void {
    if (this.settled) return;
    try {
      this.settle('aborted');
      this.meterIncomplete();
    } finally {
      this.exchange?.abort();
      // Keeps Fastify from sending a response.
      this.reply.hijack();
      this.resolveEnded();
    }
  }

  /** The client gets the error response. If headers were sent, its connection is destroyed. */
  fail(error: GatewayError): void {
    if (this.settled) return;
    try {
      this.settle(error.code);
      if (this.headSent) this.meterIncomplete();
      else this.noteLost();
    } finally {
      this.exchange?.abort();
      if (this.headSent) this.destroyConnection();
      this.outcome.reject(error);
    }
  }

  /** Resolves `ended`. */
  protected resolveEnded(): void {
    this.outcome.resolve();
  }

  /** Begins the ending. @param failure the error code, or `aborted`; null after a success */
  protected settle(failure: string | null): void {
    this.settled = true;
    this.release(failure);
  }

  protected get headSent(): boolean {
    return this.reply.raw.headersSent;
  }

  /** Notes that the client gets an error although the provider might charge for its response. */
  protected abstract noteLost(): void;

  /** Releases timers, memory and counts, and ends the span of the exchange. */
  protected abstract release(failure: string | null): void;

  /** Meters the part of the response that has arrived. */
  protected abstract meterIncomplete(): void;

  /** Destroys the client's connection, which shows the client that the response is incomplete. */
  protected abstract destroyConnection(): void;
}
