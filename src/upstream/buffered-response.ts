import type { IncomingHttpHeaders } from 'node:http';
import { upstreamError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { headTimedOut } from './upstream-failure.js';
import type { UpstreamExchange, UpstreamSink } from './upstream-exchange.js';

/** A whole answer. */
export interface BufferedResponse {
  readonly status: number;
  /** Lower-case names; of a header that came twice the first value. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/**
 * Holds one answer of at most `bytesMax` bytes that has to be whole after `timeoutMs`.
 * @throws GatewayError 502 or 503; beyond a bound 502
 */
export function bufferResponse(
  send: (sink: UpstreamSink) => UpstreamExchange,
  bounds: { readonly bytesMax: number; readonly timeoutMs: number },
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let status = 0;
    let headers: Record<string, string> = {};
    const giveUp = (error: GatewayError) => {
      clearTimeout(timer);
      exchange.abort();
      reject(error);
    };
    const timer = setTimeout(() => giveUp(headTimedOut()), bounds.timeoutMs);
    const exchange = send({
      onHead: (headStatus, incoming) => {
        status = headStatus;
        headers = firstValues(incoming);
      },
      onData: (chunk) => {
        bytes += chunk.length;
        if (bytes > bounds.bytesMax) giveUp(upstreamError('The answer of the upstream is too long.'));
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
