import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import type { FailureReason } from './upstream-failure.js';

/** The `holder` of requests that the gateway sends on its own behalf. */
export const GATEWAY_ITSELF = '';

/** Has no host, because only the configuration determines the address. */
export interface UpstreamRequest {
  /** A key ID or `GATEWAY_ITSELF`. Connections are shared fairly among holders (`ConnectionPermits`). */
  readonly holder: string;
  readonly method: string;
  /** Relative to the base URL, including the query: `/chat/completions?a=1`. */
  readonly path: string;
  /** A flat list of lower-case names and values, including the credential. */
  readonly headers: string[];
  /**
   * Sent unchanged. A stream is sent with the `content-length` from the headers, otherwise in chunks. It is read only after
   * the request has a connection, and must enforce its own timeouts.
   */
  readonly body: Buffer | Readable | null;
  /**
   * Another upstream follows. So a refused connection is not retried here, and connecting takes at most this long, as does the wait
   * for a free connection. Default: the timeout of the upstream.
   */
  readonly connectMsMax?: number | undefined;
}

/**
 * Receives `onStart`, `onHead`, any number of `onData`, then `onEnd`. `onError` can end the sequence after `onStart`. It is
 * the only event of a request that cannot be sent. No event follows `onEnd`, `onError` or `abort()`, with one exception: if any of these
 * methods throws, `onError` is called with the reason `internal`.
 */
export interface UpstreamSink {
  /** Called before anything is sent, while `send` runs. */
  onStart(exchange: UpstreamExchange): void;
  /** `status` is 200 or above. `headers` have lower-case names and latin1 values, and no `content-encoding` except `identity`. */
  onHead(status: number, headers: IncomingHttpHeaders): void;
  /** The bytes are decoded. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** Usually 502 or 503 (D5, D22). It can be called before `send` returns, and must not throw. */
  onError(error: GatewayError, failure: SendFailure): void;
}

/** Why a request failed without a complete response. */
export interface SendFailure {
  readonly reason: FailureReason;
  /** The upstream might have received the request. If false, it cannot have received it. */
  readonly reached: boolean;
}

export const NOT_SENT: SendFailure = { reason: 'internal', reached: false };

/** A running request, as its sink can control it. */
export interface UpstreamExchange {
  /** The request was begun on a connection, so the upstream might have received a part of it. */
  readonly reached: boolean;
  /** Headers and body have been passed to the operating system completely. Does not change after the request has ended. */
  readonly sentWhole: boolean;
  /** Ends the request in any phase. Has no effect after its end. */
  abort(): void;
  /** Counts an error of the sink as a failure with the reason `internal`. It does not end the request. */
  noteFault(): void;
  /** Stops `onData` until `resume()`, except for data that was already read. */
  pause(): void;
  resume(): void;
}
