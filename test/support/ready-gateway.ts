import { until } from './until.js';
import { TestGateway } from './gateway.js';

/** A gateway that has reached everything it needs: what is tested under /v1 is not how it starts. */
export async function startGateway(...given: Parameters<typeof TestGateway.start>): Promise<TestGateway> {
  const gateway = await TestGateway.start(...given);
  const key = await gateway.createKey({ name: 'first' });
  await until(async () => (await gateway.call('GET', '/v1/usage', { key })).status === 200, 10_000);
  return gateway;
}

/** One that waits a second for a head, and for the next piece of a body. */
export const startImpatientGateway = (): Promise<TestGateway> =>
  startGateway({ GW_HEAD_TIMEOUT_MS: '1000', GW_BODY_IDLE_TIMEOUT_MS: '1000' });
