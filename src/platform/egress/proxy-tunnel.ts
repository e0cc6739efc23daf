import { request as requestHttp, type ClientRequest, Agent as HttpAgent, type AgentOptions } from 'node:http';
import { request as requestHttps, Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { type EgressProxy, placeOf, type Target } from './egress-proxy.js';

/** An error of the egress proxy. Its message contains no credential, and nothing from the proxy except a status. */
class ProxyError extends Error {
  readonly code = 'EGRESS_PROXY';
}

export interface Tunnel {
  readonly opened: Promise<Socket>;
  /** Before the tunnel is open, `opened` rejects with this error. */
  cancel(error: Error): void;
}

/**
 * Opens a TCP connection to a target through an HTTP proxy, with CONNECT. Targets without TLS use a tunnel too, because
 * requests are then the same with and without a proxy (ADR 0032). `opened` rejects with a `ProxyError`.
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

type Done = (error: Error | null, socket: Duplex) => void;

/**
 * Returns an agent of Node's HTTP client that opens its connections through a proxy.
 * @param secure whether the targets use TLS
 */
export function tunnelAgent(proxy: EgressProxy, secure: boolean, timeoutMs: number, options: AgentOptions): HttpAgent {
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  agent.createConnection = (given: object, done?: Done) => {
    const { host, port } = given as { readonly host: string; readonly port: number | string };
    openTunnel(proxy, { host, port: Number(port) }, timeoutMs).opened.then(
      (socket) => {
        done?.(null, secure ? connectTls({ ...(given as ConnectionOptions), socket }) : socket);
      },
      (error: Error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  };
  return agent;
}
