import type { FastifyReply } from 'fastify';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { reportFault, type FaultHandler } from '../platform/errors/guarded.js';
import type { UpstreamExchange } from '../upstream/upstream-exchange.js';
import { notProcessed } from '../upstream/upstream-failure.js';

/** Ends a forwarded response exactly once, however it ends. Every ending closes the exchange, even if a step before it fails. */
export abstract class ResponseEnding implements FaultHandler {
  protected exchange: UpstreamExchange | null = null;
  protected settled = false;
  private readonly outcome = Promise.withResolvers<void>();

  constructor(private readonly reply: FastifyReply) {}

  /** Resolves when the response is complete or abandoned, and rejects with a GatewayError. */
  get ended(): Promise<void> {
    return this.outcome.promise;
  }

  /** The client gets a 502, or its connection is closed. After the end of the response, the failure is only counted. */
  fault(error: unknown): void {
    this.exchange?.noteFault();
    if (!this.settled) return this.fail(notProcessed(error));
    reportFault(error);
    this.complete();
  }

  /** The client has disconnected, or does not read. */
  abandon(): void {
    if (this.settled) return;
    try {
      this.settle('aborted');
      this.meterCut();
    } finally {
      this.exchange?.abort();
      // Keeps Fastify from sending a response.
      this.reply.hijack();
      this.complete();
    }
  }

  fail(error: GatewayError): void {
    if (this.settled) return;
    try {
      this.settle(error.code);
      if (this.headSent) this.meterCut();
      else this.noteLost();
    } finally {
      this.exchange?.abort();
      if (this.headSent) this.cut();
      this.outcome.reject(error);
    }
  }

  protected complete(): void {
    this.outcome.resolve();
  }

  /** @param failure the error code, or `aborted`; null after a success */
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
  protected abstract meterCut(): void;

  /** Closes the client's connection. */
  protected abstract cut(): void;
}
