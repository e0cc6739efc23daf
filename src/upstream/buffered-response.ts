import type { IncomingHttpHeaders } from 'node:http';
import { upstreamError } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { headTimedOut } from './upstream-failure.js';
import type { UpstreamExchange, UpstreamSink } from './send-contract.js';

/** A complete response in memory. */
export interface BufferedResponse {
  readonly status: number;
  /** Lower-case names; the first value of a repeated header. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Collects the response to the request that `send` sends. @throws GatewayError 502 or 503, also if the response exceeds a bound */
export function bufferResponse(
  send: (sink: UpstreamSink) => void,
  bounds: { readonly bytesMax: number; readonly timeoutMs: number },
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let headers: Record<string, string> = {};
    const abandon = (error: GatewayError) => {
      clearTimeout(timer);
      exchange?.abort();
      reject(error);
    };
    const timer = setTimeout(() => abandon(headTimedOut()), bounds.timeoutMs);
    let exchange: UpstreamExchange | undefined;
    send({
      onStart: (started) => (exchange = started),
      onHead: (headStatus, incoming) => {
        status = headStatus;
        headers = firstValues(incoming);
      },
      onData: (chunk) => {
        bytes += chunk.length;
        if (bytes > bounds.bytesMax) abandon(upstreamError('The upstream response is too large.'));
        else chunks.push(chunk);
      },
      onEnd: () => {
        clearTimeout(timer);
        resolve({ status, headers, body: Buffer.concat(chunks) });
      },
      onError: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}

function firstValues(headers: IncomingHttpHeaders): Record<string, string> {
  const values = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, string>;
}
