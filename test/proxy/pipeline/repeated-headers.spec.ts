import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declaredRoutes } from '../../../src/platform/routes/declared-routes.js';
import { ADMIN_KEY, TestGateway, type Key } from '../../support/gateway.js';
import { errorIn } from '../../support/responses.js';
import { Wire } from '../../support/wire.js';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_ROUTES: 'all' });
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, ...lines: string[]) =>
  Wire.once(gateway.port, [`${method} ${path} HTTP/1.1`, ...lines, 'Content-Length: 0', '', ''].join('\r\n'));

const HOST = 'Host: gateway';

async function expectRefused(method: string, path: string, ...lines: string[]): Promise<void> {
  const response = await send(method, path, ...lines);
  expect([method, path, response.status]).toEqual([method, path, 400]);
  const { code, param, request_id } = errorIn(response);
  expect([path, code, param, request_id]).toEqual([path, 'bad_request', null, response.headers['x-request-id']]);
}

describe('repeated headers', () => {
  test('two Host or Authorization headers return 400 bad_request on every route, with a request ID', async () => {
    gateway.upstream.reset();
    const routes = declaredRoutes(gateway.app).map(({ method, path }) => [method, path.replace(/:\w+|\*/g, 'x-1')]);
    const paths = new Set(routes.map(([, path]) => path!.split('/')[1]));
    expect([...paths]).toEqual(expect.arrayContaining(['v1', 'admin', 'dashboard', 'health']));
    const extra = [
      ['GET', '/no/such/route'],
      ['OPTIONS', '/v1/chat/completions'],
      ['GET', '/openapi.json'],
    ];
    for (const [method, path] of [...routes, ...extra]) {
      if (method === 'HEAD') continue;
      const authorization = `Authorization: Bearer ${path!.startsWith('/admin') ? ADMIN_KEY : key.key}`;
      await expectRefused(method!, path!, HOST, HOST, authorization);
      await expectRefused(method!, path!, HOST, authorization, 'authorization: Bearer x');
    }
    expect(gateway.upstream.requests).toEqual([]);
  });

  test.each([
    ['Host', 'gateway'],
    ['HOST', 'other'],
    ['Authorization', 'Bearer x'],
    ['AUTHORIZATION', ''],
    ['X-Api-Key', 'x'],
    ['content-type', 'application/json'],
  ])('a second %s header returns 400 bad_request, whatever its value', async (name, value) => {
    const first = name.toLowerCase() === 'host' ? [] : [`${name}: first`];
    await expectRefused('GET', '/v1/usage', HOST, ...first, `${name}: ${value}`);
  });

  test('a second Content-Length or Transfer-Encoding header returns 400 bad_request', async () => {
    await expectRefused('POST', '/v1/chat/completions', HOST, 'Content-Length: 0');
    const lines = [
      HOST,
      `Authorization: Bearer ${key.key}`,
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: chunked',
    ];
    const request = ['POST /v1/chat/completions HTTP/1.1', ...lines, '', '0', '', ''].join('\r\n');
    const response = await Wire.once(gateway.port, request);
    expect([response.status, errorIn(response).code]).toEqual([400, 'bad_request']);
  });

  test('other repeated headers are accepted', async () => {
    const lines = [
      'Accept: a',
      'Accept: b',
      'Cookie: a=1',
      'Cookie: b=2',
      'X-Forwarded-For: 1.1.1.1',
      'X-Forwarded-For: x',
    ];
    const response = await send('GET', '/v1/usage', HOST, `Authorization: Bearer ${key.key}`, ...lines);
    expect(response.status).toBe(200);
  });
});
