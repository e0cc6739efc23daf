import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { GatewayError } from '../errors/gateway-error.js';

/** The holder of the gateway's own requests. */
export const GATEWAY_ITSELF = '';

/** An upstream request. It has no host, because only the configuration determines the address. */
export interface UpstreamRequest {
  /** A key ID or `GATEWAY_ITSELF`. Connections are shared fairly among holders (`ConnectionPermits`). */
  readonly holder: string;
  readonly method: string;
  /** Relative to the base URL, including the query: `/chat/completions?a=1`. */
  readonly path: string;
  /** A flat list of lower-case names and values, including the credential. */
  readonly headers: string[];
  /**
   * Sent unchanged. A stream is sent with the `content-length` from the headers, otherwise in chunks. It is read only after the
   * request has a connection, and must enforce its own timeouts.
   */
  readonly body: Buffer | Readable | null;
}

/**
 * Receives the events of an upstream request: `onStart`, `onHead`, any number of `onData`, then `onEnd`. `onError` can end the
 * sequence at any point after `onStart`. A request that cannot be sent gets only `onError`. After `onEnd`, `onError` or `abort()`
 * no further event follows. `onError` must not throw.
 */
export interface UpstreamSink {
  /** Called before anything is sent, while `send` runs. */
  onStart(exchange: UpstreamExchange): void;
  /** `status` is 200 or above. `headers` have lower-case names and latin1 values, and no `content-encoding` except `identity`. */
  onHead(status: number, headers: IncomingHttpHeaders): void;
  /** Receives decoded bytes. */
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** Receives an error that can be thrown, usually 502 or 503 (D5, D22). It can be called before `send` returns. */
  onError(error: GatewayError): void;
}

export interface UpstreamExchange {
  /** True if headers and body have been passed to the operating system completely. Does not change after the request has ended. */
  readonly sentWhole: boolean;
  /** Ends the request immediately, in any phase. Has no effect after its end. */
  abort(): void;
  /** Stops `onData` until `resume()`, except for data that was already read. */
  pause(): void;
  resume(): void;
}
