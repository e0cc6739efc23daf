import { describe, expect, test } from '@jest/globals';
import { UPSTREAM_KEY } from '../../support/gateway.js';
import { gatewayOfFile } from '../../support/gateway-of-file.js';
import { errorCodeIn } from '../../support/responses.js';
import { Wire } from '../../support/wire.js';

const file = gatewayOfFile();

/** Sends a raw request line, because a URL parser would normalize the target. */
const send = (target: string, method = 'GET', ...lines: string[]) => {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${file.key.key}`, ...lines];
  return Wire.once(file.gateway.port, [...head, '', ''].join('\r\n'));
};

const reached = () => file.gateway.upstream.requests.map(({ path }) => path.split('?')[0]);

describe('ambiguous request targets', () => {
  test.each([
    'http:///v1/files',
    'http:/v1/files',
    'http:v1/files',
    'http:\\\\evil.example/v1/files',
    'http://evil.example\\v1/files',
    'http://gateway#/v1/files',
    'http://gateway/v1/files#x',
    'http://gateway//evil.example/v1/files',
    'http://gateway/v1/../v1/files',
    'http://gateway/http://gateway/v1/files',
    'http://http://gateway/v1/files',
    'httpx://gateway/v1/files',
    'ftp://gateway/v1/files',
    'ws://gateway/v1/files',
    'file:///v1/files',
    'http://gateway',
    'http://gateway?/v1/files',
    '//evil.example/v1/files',
    '//user@evil.example/v1/files',
    '/\\evil.example/v1/files',
    '/v1//files',
    '//v1/files',
    '/v1/./files',
    '/v1/../v1/files',
    '/v1/files/',
    '/v1/files/..',
    '/v1/files/.',
    '/v1/files/../assistants',
    '/v1/files/x/../../assistants',
    '/v1/files/%2e%2e',
    '/v1/files/%2E%2E/assistants',
    '/v1/files/..%2fassistants',
    '/v1/files/..%5cassistants',
    '/v1/files/%252e%252e%252fassistants',
    '/v1/files/a%2fb',
    '/v1/files/a%5cb',
    '/v1/files/a/b',
    '/v1/files/a%00',
    '/v1/files/a%0d%0aHost:%20evil.example',
    '/v1/files/a%3fkey=x',
    '/v1/files/a%23b',
    '/v1/files/a%20b',
    '/v1/files/a;b',
    '/v1/files/a@evil.example',
    '/v1/files/%ef%bc%8e%ef%bc%8e',
    '/v1/files/%c0%ae%c0%ae/assistants',
    '/v1/files/x/content/..',
    '/v1/files/x/content%2f..%2f..',
    '/v1/vector_stores/../files/x/files',
    '/v1/vector_stores/vs_1/files/../../../files',
    '/v1/threads/%2e%2e/messages',
    '/v1/responses/..%2f..%2fadmin',
    '/v1/messages/%2e',
    '/v1\\files',
    '/V1/files',
    '/v1/files#x',
    '/v1%2ffiles',
    '/%76%31/..%2ffiles',
  ])('the target %s is rejected and not forwarded', async (target) => {
    expect(errorCodeIn(await send(target))).toMatch(/^40[04] (route_not_found|bad_request)$/);
    expect(reached()).toEqual([]);
  });

  test.each([
    'http://gateway/v1/files?limit=1&api_key=x',
    'https://evil.example/v1/files?limit=1',
    'HTTP://user:password@EVIL.EXAMPLE:8443/v1/files?limit=1',
  ])('the absolute target %s is served by its path, and its host is ignored', async (target) => {
    await send(target);
    const [request] = file.gateway.upstream.requests;
    expect(request!.path).toBe('/v1/files?limit=1');
    expect(request!.header('host')).toBe(new URL(file.gateway.upstream.url).host);
    expect(JSON.stringify(request!.headers)).not.toMatch(/evil|password/i);
  });

  test('an absolute target with a model in its query is rejected like a relative one', async () => {
    const response = await send(
      'http://gateway/v1/chat/completions?model=gpt-4o',
      'POST',
      'Content-Type: application/json',
    );
    expect(response.status).toBe(400);
    expect(reached()).toEqual([]);
  });

  test.each(['/%761/files', '/v1/%66iles', '/v1/files?path=../../admin', '/v1/files?//evil.example', '/v1/files?a#b'])(
    'the target %s reaches only /v1/files upstream, if it is served',
    async (target) => {
      const response = await send(target);
      if (response.status === 404) expect(reached()).toEqual([]);
      else expect(reached().map((path) => decodeURIComponent(path!))).toEqual(['/v1/files']);
    },
  );
});

test('no path, header or parameter changes the upstream host or its credential', async () => {
  const evil = 'evil.example';
  const headers = [
    'X-Forwarded-Host',
    'X-Original-Host',
    'X-Host',
    'Forwarded',
    'X-Upstream',
    'X-Base-Url',
    'X-Target',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Portkey-Custom-Host',
    'Helicone-Target-Url',
    'Openai-Base-Url',
  ].map((name) => `${name}: https://${evil}/v1`);
  await send(`/v1/files?base_url=https://${evil}&api_base=https://${evil}&host=${evil}`, 'GET', ...headers);
  expect(file.gateway.upstream.requests).toHaveLength(1);
  const [request] = file.gateway.upstream.requests;
  expect(request!.header('host')).toBe(new URL(file.gateway.upstream.url).host);
  expect(request!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
  expect(JSON.stringify(request!.headers)).not.toContain(evil);
  expect(JSON.stringify(request!.headers)).not.toContain(file.key.key);
});

test('body fields that name a host do not change the upstream host', async () => {
  const fields = {
    base_url: 'https://evil.example',
    api_base: 'https://evil.example',
    api_key: 'x',
    host: 'evil.example',
  };
  expect((await file.gateway.chat(file.key, fields)).status).toBe(200);
  expect(reached()).toEqual(['/v1/chat/completions']);
});

describe('model IDs in paths', () => {
  test('a model ID with dots or slashes returns 404 and causes no other upstream request', async () => {
    await send('/v1/models');
    file.gateway.upstream.reset();
    for (const target of [
      '/v1/models/../files',
      '/v1/models/..%2ffiles',
      '/v1/models/a/../../files',
      '/v1/models/%2e%2e',
      '/v1/models//',
    ])
      expect([target, (await send(target)).status]).toEqual([target, 404]);
    expect(reached().filter((path) => path !== '/v1/models')).toEqual([]);
  });
});

test('no spelling of a path under /admin bypasses the guard', async () => {
  const { id } = await file.gateway.createKey();
  for (const target of [
    `/admin/api-keys/${id}`,
    `/%61dmin/api-keys/${id}`,
    `//admin/api-keys/${id}`,
    `/v1/../admin/api-keys/${id}`,
    `/health/../admin/api-keys`,
    `/dashboard/../admin/api-keys`,
    `/docs/../admin/api-keys`,
    `/admin/api-keys/${id}/`,
    `/admin;/api-keys/${id}`,
    `/ADMIN/api-keys/${id}`,
    `http://gateway/admin/api-keys/${id}`,
  ]) {
    // Sent with an API key, which is valid only under /v1.
    const response = await send(target);
    // If the dashboard is built, every path below /dashboard returns its page.
    const refused = [400, 401, 404].includes(response.status) || response.text.startsWith('<!doctype html>');
    expect([target, refused, response.text.includes('key_hint')]).toEqual([target, true, false]);
  }
});
