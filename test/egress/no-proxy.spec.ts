import { describe, expect, test } from '@jest/globals';
import { Config } from '../../src/config/config.js';
import { proxyFor } from '../../src/egress/egress-proxy.js';

const PROXY = 'http://proxy.example:3128';
const settingFor = (env: Record<string, string>, url = 'https://api.example.com/v1') =>
  proxyFor(Config.from(env), new URL(url))?.setting ?? 'direct';

describe('choice of the proxy', () => {
  test.each<[Record<string, string>, string, string]>([
    [{}, 'https://api.example.com', 'direct'],
    [{ HTTPS_PROXY: PROXY }, 'https://api.example.com', 'HTTPS_PROXY'],
    [{ https_proxy: PROXY }, 'https://api.example.com', 'HTTPS_PROXY'],
    [{ HTTPS_PROXY: PROXY }, 'http://api.example.com', 'direct'],
    [{ HTTP_PROXY: PROXY }, 'http://api.example.com', 'HTTP_PROXY'],
    [{ HTTP_PROXY: PROXY }, 'https://api.example.com', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY, HTTPS_PROXY: 'socks5://x' }, 'https://api.example.com', 'GW_EGRESS_PROXY'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://api.example.com', 'GW_EGRESS_PROXY'],
    [{ GW_EGRESS_PROXY: 'off', HTTPS_PROXY: 'socks5://x' }, 'https://api.example.com', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://127.0.0.1:1', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://[::1]:1', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://localhost:1', 'direct'],
  ])('with %j, %s is connected by %s', (env, url, expected) => {
    expect(settingFor(env, url)).toBe(expected);
  });

  test.each([
    ['*', 'https://a.example', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://API.example.com.', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['*.example.com', 'https://api.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['example.com:8443', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['other, example.com', 'https://example.com', true],
    ['10.0.0.0/8', 'http://10.1.2.3', true],
    ['10.0.0.0/8', 'http://11.1.2.3', false],
    ['10.0.0.7', 'http://10.0.0.7:81', true],
    ['[fd00::1]:81', 'http://[fd00::1]:81', true],
    ['fd00::/8', 'http://[fd12::1]', true],
    ['fd00::/8', 'http://10.0.0.1', false],
    ['svc,.cluster.local', 'http://collector.monitoring.svc', true],
  ])('NO_PROXY=%s with %s bypasses the proxy: %s', (noProxy, url, direct) => {
    expect(settingFor({ GW_EGRESS_PROXY: PROXY, NO_PROXY: noProxy }, url) === 'direct').toBe(direct);
    expect(settingFor({ GW_EGRESS_PROXY: PROXY, no_proxy: noProxy }, url) === 'direct').toBe(direct);
  });

  test.each(['socks5://proxy:1080', 'http://proxy/path', 'http://u:%zz@proxy', 'http://'])(
    'the unusable proxy %s is rejected without showing it',
    (url) => {
      for (const name of ['GW_EGRESS_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY']) {
        expect(() => Config.from({ [name]: url })).toThrow(`${name} has an invalid value (not shown). Use a URL`);
      }
    },
  );

  test('an unusable NO_PROXY is rejected only if there is a proxy', () => {
    expect(Config.from({ NO_PROXY: '<local>' }).noProxy).toEqual([]);
    expect(() => Config.from({ NO_PROXY: '<local>', HTTPS_PROXY: PROXY })).toThrow(/^NO_PROXY cannot be "<local>"/);
  });

  test('a proxy without a scheme is an HTTP proxy, and its credential is decoded', () => {
    const proxy = proxyFor(Config.from({ HTTPS_PROXY: 'us%40er:p%3Ass@proxy:3128' }), new URL('https://a.example'));
    const authorization = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`;
    expect(proxy).toMatchObject({ secure: false, host: 'proxy', port: 3128, authorization });
  });
});
