import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errorIn, errorCodeIn } from '../support/responses.js';
import { Wire } from '../support/wire.js';
import type { Key, TestGateway } from '../support/gateway.js';
import { startBothProfiles, type BothProfiles } from './both-profiles.js';

let profiles: BothProfiles;
let current: TestGateway;
let specified: TestGateway;
let key: Key;
beforeAll(async () => {
  profiles = await startBothProfiles();
  ({ current, specified, key } = profiles);
});
afterAll(() => profiles.stop());

const ask = (gateway: TestGateway, line: string, ...headers: string[]) =>
  Wire.once(gateway.port, [`${line} HTTP/1.1`, 'Host: gateway', ...headers, '', ''].join('\r\n'));
const WEBSOCKET = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe('WebSocket upgrades', () => {
  test.each(['GET /v1/responses', 'GET /v1/models'])(
    'an upgrade of %s returns 426 in the current profile',
    async (line) => {
      const response = await ask(current, line, ...WEBSOCKET, `Authorization: Bearer ${key.key}`);
      expect(errorCodeIn(response)).toBe('426 upgrade_required');
      expect(errorIn(response)).toMatchObject({ type: 'invalid_request_error' });
      expect([response.headers['upgrade'], response.headers['connection']]).toEqual(['HTTP/1.1', 'upgrade, close']);
    },
  );

  test('an upgrade needs no API key, and later bytes are never read as a request', async () => {
    const upgrade = ['GET /v1/responses HTTP/1.1', 'Host: gateway', ...WEBSOCKET, '', ''].join('\r\n');
    const behind = `GET /v1/models HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key.key}\r\n\r\n`;
    for (const bytes of [behind, '\x81\x85\x01\x02\x03\x04hello', '0\r\n\r\n']) {
      const wire = await Wire.open(current.port);
      wire.write(upgrade + bytes);
      expect(errorCodeIn(await wire.response())).toBe('426 upgrade_required');
      await wire.closed;
      expect(wire.unread).toBe('');
    }
    const wire = await Wire.open(current.port);
    wire.write(upgrade.replace('Host', 'Content-Length: 5\r\nHost'));
    wire.write('hello');
    wire.write(behind);
    expect(errorCodeIn(await wire.response())).toBe('426 upgrade_required');
    await wire.closed;
    expect(wire.unread).toBe('');
  });

  test('an upgrade is ignored in the specification profile', async () => {
    expect(errorCodeIn(await ask(specified, 'GET /v1/responses', ...WEBSOCKET))).toBe('404 route_not_found');
    expect(errorCodeIn(await ask(specified, 'GET /v1/models', ...WEBSOCKET))).toBe('401 missing_api_key');
  });

  test('an upgrade to h2c is ignored and its request is served', async () => {
    const headers = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const response = await ask(current, 'GET /v1/models', ...headers, `Authorization: Bearer ${key.key}`);
    expect(response.status).toBe(200);
  });
});

describe('connectivity checks', () => {
  test.each(['/', '/api/hello'])('HEAD %s gets an empty 200 in the current profile', async (path) => {
    const response = await current.call('HEAD', path);
    expect([response.status, response.text]).toEqual([200, '']);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect((await current.call('GET', path)).status).toBe(404);
    expect((await specified.call('HEAD', path)).status).toBe(404);
  });
});

describe('message of 404 route_not_found', () => {
  test.each([
    [
      'POST',
      '/chat/completions',
      'Did you mean /v1/chat/completions? The base URL of an OpenAI client must end with /v1.',
    ],
    ['GET', '/models?limit=3', 'The route GET /models does not exist. Did you mean /v1/models?'],
    [
      'POST',
      '/v1/v1/messages',
      'Did you mean /v1/messages? The base URL of an OpenAI client must not contain /v1 twice, and',
    ],
    ['POST', '/openai/v1/v1/responses', 'Did you mean /v1/responses?'],
    [
      'POST',
      '/v1//chat/completions',
      'The route POST /v1//chat/completions does not exist. Did you mean /v1/chat/completions?',
    ],
    ['GET', '/v1/models/', 'The route GET /v1/models/ does not exist. Did you mean /v1/models?'],
    ['GET', '/v1/files/a%20b', 'The route GET /v1/files/a%20b does not exist. An ID in the path is not valid.'],
    ['GET', '/v1/embeddings', 'The route GET /v1/embeddings does not exist. This path accepts POST.'],
    ['GET', '/v1/chat/completions', 'The route GET /v1/chat/completions is not enabled. It needs GW_ROUTES=all.'],
  ])('the message for %s %s names the route and the likely fix', async (method, path, message) => {
    for (const gateway of [specified, current]) {
      if (gateway === current && path === '/v1/chat/completions') continue;
      expect(errorIn(await gateway.call(method, path)).message).toContain(message);
    }
  });

  test('the message for a route that is not enabled names the setting that enables it', async () => {
    for (const gateway of [specified, current])
      expect(errorIn(await gateway.call('GET', '/docs')).message).toBe(
        'The route GET /docs is not enabled. It needs GW_DOCS=on.',
      );
    const count = await specified.call('POST', '/v1/messages/count_tokens');
    expect(errorIn(count).message).toBe(
      'The route POST /v1/messages/count_tokens is not enabled. It needs GW_ROUTES=all.',
    );
    const batches = 'is not enabled. It needs GW_ROUTES=all and batches in GW_UNBILLED_ROUTES.';
    for (const gateway of [specified, current]) {
      const response = await gateway.call('POST', '/v1/messages/batches');
      expect([response.status, errorIn(response).message]).toEqual([
        404,
        `The route POST /v1/messages/batches ${batches}`,
      ]);
    }
  });

  test('the message omits the query and keys in the path, and truncates a long path', async () => {
    const secret = await specified.call('GET', `/v1/${key.key}?key=${key.key}`);
    expect(secret.text).not.toContain(key.key);
    const provider = 'sk-proj-abcdefghijklmnopqrstuvwxyz';
    for (const path of [`/v1/${provider}`, `/files/${provider}`, `/v1/${provider.replace('-', '%2D')}`])
      expect(errorIn(await specified.call('GET', path)).message).not.toContain(provider.slice(8));
    for (const path of [`/v1/${'x'.repeat(8000)}`, `/files/${'x'.repeat(8000)}`, `/v1//files/${'x'.repeat(8000)}`])
      expect(errorIn(await specified.call('GET', path)).message.length).toBeLessThan(300);
  });
});
