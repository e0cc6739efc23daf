import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ADMIN_KEY, type TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { errorIn, errorCodeIn } from '../../support/responses.js';
import { Wire } from '../../support/wire.js';

const CHAT_PATH = '/v1/chat/completions';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

// Written by hand, because a URL parser would normalize some of these paths.
const ask = (method: string, target: string, ...lines: string[]) =>
  Wire.once(gateway.port, [`${method} ${target} HTTP/1.1`, 'Host: gateway', ...lines, '', ''].join('\r\n'));

describe('404 route_not_found', () => {
  test.each([
    ['an unknown path', 'GET', '/'],
    ['an unknown path under /v1', 'GET', '/v1/nothing'],
    ['the prefix', 'GET', '/v1'],
    ['the prefix with a slash', 'GET', '/v1/'],
    ['a route that must not exist', 'POST', '/v1/audio/translations'],
    ['an unknown path under /admin', 'GET', '/admin/nothing'],
    ['a trailing slash under /admin', 'GET', '/admin/api-keys/'],
    ['a trailing slash under /admin', 'PATCH', '/admin/api-keys/'],
    ['a trailing slash under /admin', 'DELETE', '/admin/sessions/'],
    ['an empty ID under /admin', 'GET', '/admin/api-keys//quota'],
    ['another method', 'GET', CHAT_PATH],
    ['another method', 'PUT', CHAT_PATH],
    ['another method', 'PATCH', CHAT_PATH],
    ['another method', 'POST', '/v1/models'],
    ['another method', 'DELETE', '/v1/usage'],
    ['an unused method', 'TRACE', '/v1/models'],
    ['an unused method', 'PROPFIND', '/v1/models'],
    ['a method unknown to the router', 'QUERY', '/v1/models'],
    ['OPTIONS without preflight headers', 'OPTIONS', CHAT_PATH],
    ['a trailing slash', 'POST', `${CHAT_PATH}/`],
    ['a trailing slash', 'GET', '/v1/usage/'],
    ['a trailing slash', 'GET', '/health/'],
    ['an empty model ID', 'GET', '/v1/models/'],
    ['an empty model ID with a query', 'GET', '/v1/models/?limit=1'],
    ['an encoded prefix', 'POST', '/%76%31/chat/completions'],
    ['an encoded prefix', 'GET', '/%761/files/f1'],
    ['an encoded prefix', 'GET', '/v%31/usage'],
    ['a different case', 'POST', '/V1/chat/completions'],
    ['a different case', 'POST', '/v1/Chat/Completions'],
    ['a different case', 'GET', '/Health'],
    ['a doubled slash', 'POST', '/v1//chat/completions'],
    ['dot segments', 'POST', '/v1/x/../chat/completions'],
    ['an encoded slash', 'POST', '/v1/chat%2Fcompletions'],
    ['an invalid percent sequence', 'GET', '/v1/%zz'],
    ['an invalid percent sequence in an ID', 'GET', '/v1/models/%zz'],
    ['a truncated percent sequence', 'POST', `${CHAT_PATH}%`],
    ['a percent sequence outside UTF-8', 'GET', '/v1/models/%ff'],
    ['another server in the target', 'GET', 'http://elsewhere.example/v1/nothing'],
    ['an asterisk', 'OPTIONS', '*'],
    ['a path of 8,000 characters', 'GET', `/v1/${'x'.repeat(8000)}`],
  ])('%s returns 404 without a key: %s %s', async (_what, method, target) => {
    const response = await ask(method, target);
    expect(errorCodeIn(response)).toBe('404 route_not_found');
    expect(errorIn(response)).toEqual({
      message: expect.any(String) as unknown,
      type: 'invalid_request_error',
      param: null,
      code: 'route_not_found',
      request_id: response.headers['x-request-id'],
    });
  });

  test('HEAD returns 404 without a body, even if the path has a GET route', async () => {
    for (const target of ['/v1/models', '/v1/nothing']) {
      const response = await gateway.call('HEAD', target);
      expect([response.status, response.text]).toEqual([404, '']);
      expect(response.headers.get('x-request-id')).toBeTruthy();
    }
  });

  test('an unknown path returns 404 with a valid key, an admin key and an invalid key', async () => {
    const { key } = await gateway.createKey();
    for (const given of [key, ADMIN_KEY, 'none']) {
      expect(errorCodeIn(await gateway.call('POST', '/v1/nothing', { key: given }))).toBe('404 route_not_found');
    }
  });

  test('the body of an unknown route is discarded and the connection stays open', async () => {
    const wire = await Wire.open(gateway.port);
    const unknown = 'POST /v1/nothing HTTP/1.1\r\nHost: gateway\r\nContent-Length: 5\r\n\r\nhello';
    for (let times = 0; times < 3; times++) {
      wire.write(unknown);
      expect((await wire.response()).status).toBe(404);
    }
    wire.close();
  });
});
