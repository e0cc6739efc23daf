import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSandbox } from '../../sandbox/src/server.js';
import { TestGateway, type Key } from '../support/gateway.js';

export type Profile = 'specification' | 'current';
export const PROFILES: readonly Profile[] = ['specification', 'current'];

/** The whole gateway with the sandbox provider behind it, as a start without an account has it. */
export interface SandboxGateway {
  readonly gateway: TestGateway;
  readonly key: Key;
  /** Base URL of OpenAI's clients. */
  readonly url: string;
  /** Every request that the provider has got, the newest last: `POST /v1/files`. */
  readonly seen: readonly { readonly name: string; readonly request: IncomingMessage }[];
  stop(): Promise<void>;
}

/** @param env settings by their variables' names */
export async function startSandboxGateway(env: Record<string, string> = {}): Promise<SandboxGateway> {
  const sandbox = createSandbox();
  const seen: { name: string; request: IncomingMessage }[] = [];
  sandbox.on('request', (request: IncomingMessage) => {
    seen.push({ name: `${request.method} ${request.url?.split('?')[0]}`, request });
  });
  await once(sandbox.listen(0, '127.0.0.1'), 'listening');
  const upstream = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}/v1`;
  const gateway = await TestGateway.start({ GW_UPSTREAM_BASE_URL: upstream, ...env });
  return {
    gateway,
    key: await gateway.createKey(),
    url: `${gateway.url}/v1`,
    seen,
    stop: async () => {
      await gateway.stop();
      sandbox.closeAllConnections();
      await new Promise((resolve) => sandbox.close(resolve));
    },
  };
}
