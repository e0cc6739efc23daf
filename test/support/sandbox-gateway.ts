import type { ReceivedRequest } from '../../sandbox/src/scripted/received-request.js';
import { startSandbox } from '../../sandbox/src/server.js';
import { TestGateway, type Key } from './gateway.js';

export type Profile = 'specification' | 'current';
export const PROFILES: readonly Profile[] = ['specification', 'current'];

/** A whole gateway with the sandbox provider, as started without a provider account. */
export interface SandboxGateway {
  readonly gateway: TestGateway;
  readonly key: Key;
  readonly url: string;
  readonly seen: readonly ReceivedRequest[];
  stop(): Promise<void>;
}

export async function startSandboxGateway(env: Record<string, string> = {}): Promise<SandboxGateway> {
  const sandbox = await startSandbox({ records: true });
  const gateway = await TestGateway.start({ GW_UPSTREAM_BASE_URL: sandbox.url, ...env });
  return {
    gateway,
    key: await gateway.createKey(),
    url: `${gateway.url}/v1`,
    seen: sandbox.requests,
    stop: async () => {
      await gateway.stop();
      await sandbox.stop();
    },
  };
}
