import { until } from './until.js';
import { TestGateway } from './gateway.js';

/** Starts a gateway and waits until it serves requests under /v1. */
export async function startGateway(...given: Parameters<typeof TestGateway.start>): Promise<TestGateway> {
  const gateway = await TestGateway.start(...given);
  const key = await gateway.createKey({ name: 'first' });
  await until(async () => (await gateway.call('GET', '/v1/usage', { key })).status === 200);
  return gateway;
}

/** Starts a gateway with timeouts of one second for request headers and for the next part of a body. */
export const startGatewayWithShortTimeouts = (): Promise<TestGateway> =>
  startGateway({ GW_HEAD_TIMEOUT_MS: '1000', GW_BODY_IDLE_TIMEOUT_MS: '1000' });
