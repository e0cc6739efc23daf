import { describe, expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import { proxyFor } from '../../../src/platform/egress/egress-proxy.js';

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
    [{ GW_EGRESS_PROXY: PROXY }, 'http://LOCALHOST.:1', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://app.localhost.', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://[::ffff:127.0.0.1]:1', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://2130706433:1', 'direct'],
    [{ GW_EGRESS_PROXY: PROXY }, 'http://notlocalhost', 'GW_EGRESS_PROXY'],
    [{ GW_EGRESS_PROXY: PROXY, HTTP_PROXY: 'http://other' }, 'http://128.0.0.1', 'GW_EGRESS_PROXY'],
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
    ['EXAMPLE.com', 'https://api.example.com', true],
    ['example.com.', 'https://example.com', true],
    ['example.com.:443', 'https://example.com', true],
    ['*.example.com.', 'https://api.example.com', true],
    ['*.EXAMPLE.com:443', 'https://api.example.com.', true],
    ['.example.com', 'https://example.com', true],
    ['.example.com', 'https://notexample.com', false],
    ['*:8443', 'https://a.example:8443', true],
    ['*:8443', 'https://a.example', false],
    ['xn--bcher-kva.example', 'https://b\u00fccher.example', true],
    ['10.0.0.0/8:8080', 'http://10.1.2.3:8080', true],
    ['10.0.0.0/8:8080', 'http://10.1.2.3', false],
    ['10.0.0.0/0', 'http://11.1.2.3', true],
    ['0.0.0.0/0', 'http://[fd00::1]', false],
    ['10.0.0.7/32', 'http://10.0.0.8', false],
    ['10.0.0.0/8', 'http://[::ffff:10.0.0.1]', true],
    ['10.0.0.0/8', 'http://0x0a000001', true],
    ['10.0.0.0/8', 'https://10.example.com', false],
    ['fd00::1', 'http://[FD00:0::0:1]:81', true],
    ['FD00::/8:81', 'http://[fd12::1]', false],
    ['[fd00::]/8:81', 'http://[fd12::1]:81', true],
    ['FD00::/8:81', 'http://[fd12::1]:81', true],
    ['[fd00::1]:81', 'http://[fd00::1]', false],
    ['::1:81', 'http://[::1:81]', true],
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

  test.each([
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/8/8',
    '[fd00::/8]:81',
    '999.0.0.1/8',
    '10.0.0/8',
    'a.example/8',
    'a.example:65536',
  ])('the range or port %s is rejected at the start', (entry) => {
    expect(() => Config.from({ NO_PROXY: `ok.example, ${entry}`, HTTPS_PROXY: PROXY })).toThrow(/^NO_PROXY cannot be/);
  });

  test('a proxy without a scheme is an HTTP proxy, and its credential is decoded', () => {
    const proxy = proxyFor(Config.from({ HTTPS_PROXY: 'us%40er:p%3Ass@proxy:3128' }), new URL('https://a.example'));
    const authorization = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`;
    expect(proxy).toMatchObject({ secure: false, host: 'proxy', port: 3128, authorization });
  });
});
