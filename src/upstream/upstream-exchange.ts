import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { GatewayError } from '../errors/gateway-error.js';

/** The holder of what no key has asked for. */
export const GATEWAY_ITSELF = '';

/** What is asked of the upstream. Where it goes to is not among it: that is the configuration's alone. */
export interface UpstreamRequest {
  /** On whose behalf: a key id, or `GATEWAY_ITSELF`. Connections are shared out among these (`ConnectionPermits`). */
  readonly holder: string;
  readonly method: string;
  /** Below the base URL, with a slash first and its query at the end: `/chat/completions?a=1`. */
  readonly path: string;
  /** A flat list of lower-case names and values, the credential among them. */
  readonly headers: string[];
  /**
   * Sent as it is. Bytes with their length; a stream with the `content-length` among the headers, else in chunks. A stream
   * is first read when there is a connection, and minds the time that either side takes for it.
   */
  readonly body: Buffer | Readable | null;
}

/**
 * Hears the answer: `onHead`, any number of `onData`, then `onEnd`; or `onError` at any moment. `onEnd` and `onError`
 * come once and are the last. After `abort()` nothing comes. `onError` must not throw.
 */
export interface UpstreamSink {
  /** `status` is 200 or above; `headers` have lower-case names and latin1 values, no content-encoding is left in them. */
  onHead(status: number, headers: IncomingHttpHeaders): void;
  /** Decoded where the upstream had compressed it. */
  onData(chunk: Buffer): void;
  /** The answer was whole. */
  onEnd(): void;
  /** 502 or 503, ready to be thrown (D5, D22). May come before `send` has returned. */
  onError(error: GatewayError): void;
}

/** One request on its way. */
export interface UpstreamExchange {
  /** The system has taken the last byte of head and body; once it is over, whether it had until then. */
  readonly sentWhole: boolean;
  /** Ends it in whatever phase it is, at once and for good; without effect after its end. */
  abort(): void;
  /** No more data until `resume()`, except what had been taken in already. */
  pause(): void;
  resume(): void;
}
