import { describe, expect, test } from '@jest/globals';
import { sessionCookieOf } from '../../src/auth/session-cookie.js';

type Sent = Parameters<typeof sessionCookieOf>[0];

const PREFIXED = '__Host-gw_admin_session';
const PLAIN = 'gw_admin_session';

const request = (cookie: string, sent: Partial<Sent> = {}): Sent => ({
  host: 'gateway.example',
  protocol: 'http',
  ...sent,
  headers: { ...sent.headers, cookie },
});
const read = (cookie: string, sent?: Partial<Sent>) => sessionCookieOf(request(cookie, sent));

describe('session cookie over HTTPS', () => {
  test.each<[string, Partial<Sent>]>([
    ['a trusted proxy states it', { protocol: 'https' }],
    ['the page has an https origin', { headers: { origin: 'https://gateway.example' } }],
    ['the browser sends Sec-Fetch-Site', { headers: { 'sec-fetch-site': 'same-origin' } }],
  ])('only the cookie with the prefix is read if %s', (_how, sent) => {
    expect(read(`${PREFIXED}=a`, sent)).toEqual({ name: PREFIXED, token: 'a' });
    expect(read(`${PLAIN}=planted; ${PREFIXED}=a`, sent)).toEqual({ name: PREFIXED, token: 'a' });
    expect(read(`${PLAIN}=planted`, sent)).toBeNull();
    expect(read(`__host-${PLAIN}=planted`, sent)).toBeNull();
    expect(read(`${PREFIXED}=a; ${PREFIXED}=b`, sent)).toBeNull();
  });
});

describe('session cookie over plain HTTP', () => {
  test.each<[string, Partial<Sent>]>([
    ['a script', {}],
    ['a browser on localhost', { host: 'localhost:8080', headers: { 'sec-fetch-site': 'same-origin' } }],
    ['a browser on 127.0.0.1', { host: '127.0.0.1:8080', headers: { 'sec-fetch-site': 'none' } }],
    ['a browser on IPv6', { host: '[::1]:8080', headers: { origin: 'http://[::1]:8080', 'sec-fetch-site': 'none' } }],
  ])('%s can use either name', (_who, sent) => {
    expect(read(`${PLAIN}=a`, sent)).toEqual({ name: PLAIN, token: 'a' });
    expect(read(`${PREFIXED}=a`, sent)).toEqual({ name: PREFIXED, token: 'a' });
    expect(read(`${PLAIN}=a; ${PREFIXED}=b`, sent)).toEqual({ name: PREFIXED, token: 'b' });
    expect(read(`${PREFIXED}=a; ${PREFIXED}=b; ${PLAIN}=c`, sent)).toBeNull();
    expect(read(`${PREFIXED}="; ${PLAIN}=c`, sent)).toBeNull();
  });
});
