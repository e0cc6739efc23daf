import { TestGateway, type Key } from '../support/gateway.js';

/** One gateway per profile, in front of the same provider. */
export interface BothProfiles {
  readonly current: TestGateway;
  readonly specified: TestGateway;
  /** A key of the gateway `current`. */
  readonly key: Key;
  stop(): Promise<void>;
}

export async function startBothProfiles(): Promise<BothProfiles> {
  const current = await TestGateway.start({ GW_PROFILE: 'current', GW_DOCS: 'off' });
  const specified = await TestGateway.start({ GW_DOCS: 'off' }, { upstream: current.upstream });
  const stop = async () => {
    await specified.stop();
    await current.stop();
  };
  return { current, specified, key: await current.createKey(), stop };
}
