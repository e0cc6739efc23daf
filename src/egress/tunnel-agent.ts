import { Agent as HttpAgent, type AgentOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { openTunnel } from './proxy-tunnel.js';
import type { EgressProxy } from './egress-proxy.js';

type Done = (error: Error | null, socket: Duplex) => void;

interface Place {
  readonly host: string;
  readonly port: number | string;
}

/** Returns an agent of Node's HTTP client that opens its connections through a proxy. */
export function tunnelAgent(proxy: EgressProxy, secure: boolean, timeoutMs: number, options: AgentOptions): HttpAgent {
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  agent.createConnection = (given: object, done?: Done) => {
    const { host, port } = given as Place;
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
