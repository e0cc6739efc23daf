import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import type { Key } from '../../support/gateway.js';
import { respondsWith, RoutedGateway } from './routed-gateway.js';

describe('failover between two upstreams', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [{ name: 'first' }, { name: 'second' }],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => {
    for (const provider of routed.providers.values()) provider.reset();
    for (const { pressure } of routed.gateway.app.get(UpstreamClient).all) pressure.clear();
  });
  afterAll(() => routed.stop());

  test('the first upstream serves as long as it can', async () => {
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'first']);
    expect(routed.counts()).toEqual({ first: 1, second: 0 });
  });

  test.each([429, 503, 529])('%s of the first upstream moves the request to the second', async (status) => {
    respondsWith(routed.provider('first'), status);
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'second']);
    expect(routed.counts()).toEqual({ first: 1, second: 1 });
  });

  test.each([400, 401, 404, 500, 502, 504])('%s is final, and the request is not repeated', async (status) => {
    respondsWith(routed.provider('first'), status);
    const response = await routed.gateway.chat(key);
    expect([response.status, response.headers.get('x-gw-upstream-status')]).toEqual([502, String(status)]);
    expect(response.headers.get('x-gw-upstream')).toBe('first');
    expect(routed.counts()).toEqual({ first: 1, second: 0 });
  });
});
