import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Lifecycle } from '../../../src/platform/lifecycle.js';
import type { TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterEach(() => void (gateway.app.get(Lifecycle).draining = false));
afterAll(() => gateway.stop());

const PREFLIGHT = { origin: 'https://app.example', 'access-control-request-method': 'POST' };

test.each([
  ['GET', '/openapi.json', {}],
  ['GET', '/docs', {}],
  ['GET', '/dashboard/', {}],
  ['GET', '/v1/nothing', {}],
  ['GET', '/health', {}],
  ['OPTIONS', '/v1/models', PREFLIGHT],
])('%s %s has the gateway headers, and closes the connection during a shutdown', async (method, path, headers) => {
  const lifecycle = gateway.app.get(Lifecycle);
  for (const [draining, connection] of [
    [false, 'keep-alive'],
    [true, 'close'],
  ] as const) {
    lifecycle.draining = draining;
    const response = await gateway.call(method, path, { headers: { ...headers, 'x-request-id': 'mine' } });
    expect(response.headers.get('connection')).toBe(connection);
    expect(response.headers.get('x-gw-client-id')).toBe('mine');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});
