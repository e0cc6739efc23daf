import { request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { EgressProxy } from './egress-proxy.js';
import { placeOf, type Target } from './target.js';

/** An error of the egress proxy. Its message contains no credential, and nothing from the proxy except a status. */
export class ProxyError extends Error {
  readonly code = 'EGRESS_PROXY';
}

export interface Tunnel {
  readonly opened: Promise<Socket>;
  /** Before the tunnel is open, `opened` rejects with this error. */
  cancel(error: Error): void;
}

/**
 * Opens a TCP connection to a target through an HTTP proxy, with CONNECT. Targets without TLS use a tunnel too (ADR 0032). So a
 * request is the same with and without a proxy. `opened` rejects with a `ProxyError`.
 * @param timeoutMs until the proxy has confirmed the tunnel
 */
export function openTunnel(proxy: EgressProxy, target: Target, timeoutMs: number): Tunnel {
  const request = connectRequest(proxy, placeOf(target));
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const where = `The egress proxy ${placeOf(proxy)}`;
  const cancel = (error: Error) => {
    reject(error);
    request.destroy();
  };
  const timer = setTimeout(() => cancel(new ProxyError(`${where} did not respond in time`)), timeoutMs);
  request.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
    clearTimeout(timer);
    socket.on('error', () => undefined);
    if (statusCode < 200 || statusCode >= 300) {
      socket.destroy();
      return reject(new ProxyError(`${where} refused a connection to ${placeOf(target)} with status ${statusCode}`));
    }
    if (head.length > 0) socket.unshift(head);
    socket.setNoDelay(true);
    resolve(socket);
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    clearTimeout(timer);
    reject(new ProxyError(`${where} cannot be reached: ${error.code ?? error.message}`));
  });
  request.end();
  return { opened: promise, cancel };
}

function connectRequest({ secure, host, port, authorization }: EgressProxy, path: string): ClientRequest {
  const headers = { host: path, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) };
  // Without an agent, because a tunnel is never used for another request.
  const options = { method: 'CONNECT', host, port, path, headers, agent: false, setDefaultHeaders: false } as const;
  // Without a server name, Node would check the certificate of the proxy against the `Host` header, which names the target.
  return secure ? requestHttps({ ...options, servername: isIP(host) === 0 ? host : '' }) : requestHttp(options);
}
