import { afterEach, expect, jest, test } from '@jest/globals';
import { ProcessLog } from '../../../src/platform/telemetry/process-log.js';
import { TestGateway } from '../../support/gateway.js';
import { callPlainly } from '../../support/operator-session.js';

let gateway: TestGateway;
afterEach(() => gateway.stop());

/** Returns the warnings about the proxy. A busy machine can also log that the database responded too late. */
async function warnings(trustProxy: string, ...paths: string[]): Promise<string[]> {
  gateway = await TestGateway.start({ GW_TRUST_PROXY: trustProxy });
  const warn = jest.spyOn(gateway.app.get(ProcessLog), 'warn').mockReturnValue();
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const path of paths) await callPlainly(gateway, 'GET', path, { headers });
  return warn.mock.calls.map(([message]) => String(message)).filter((message) => message.includes('X-Forwarded-For'));
}

test.each(['false', '10.0.0.0/8'])(
  'with GW_TRUST_PROXY=%s a forwarded address is logged once as a warning',
  async (trusted) => {
    const logged = await warnings(trusted, '/admin/api-keys', '/admin/usage', '/dashboard/session', '/admin/api-keys');
    expect(logged).toEqual([expect.stringMatching(/127\.0\.0\.1.*GW_TRUST_PROXY/)]);
  },
);

test.each(['127.0.0.0/8', '1'])(
  'with GW_TRUST_PROXY=%s, which trusts the proxy, nothing is logged',
  async (trusted) => {
    expect(await warnings(trusted, '/admin/api-keys', '/dashboard/session')).toEqual([]);
  },
);

test('routes that do not use the address log no warning', async () => {
  expect(await warnings('false', '/v1/models', '/health')).toEqual([]);
});
