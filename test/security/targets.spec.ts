import { describe, expect, test } from '@jest/globals';
import { UPSTREAM_KEY } from '../support/gateway.js';
import { gatewayOfFile } from '../support/gateway-of-file.js';
import { refusalIn } from '../support/answers.js';
import { Wire } from '../support/wire.js';

const file = gatewayOfFile();

/** By hand: a URL parser would tidy these up. */
const ask = (target: string, method = 'GET', ...lines: string[]) => {
  const head = [`${method} ${target} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${file.key.key}`, ...lines];
  return Wire.once(file.gateway.port, [...head, '', ''].join('\r\n'));
};

/** Where what has reached the upstream was sent, the query left out. */
const reached = () => file.gateway.upstream.requests.map(({ path }) => path.split('?')[0]);

describe('with a good key, a target that means another place than it seems', () => {
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
  ])('%s: 404, and nothing goes upstream', async (target) => {
    expect(refusalIn(await ask(target))).toMatch(/^40[04] (route_not_found|bad_request)$/);
    expect(reached()).toEqual([]);
  });

  test.each([
    'http://gateway/v1/files?limit=1&api_key=x',
    'https://evil.example/v1/files?limit=1',
    'HTTP://user:password@EVIL.EXAMPLE:8443/v1/files?limit=1',
  ])('an absolute target is served by its path, and its host decides nothing: %s', async (target) => {
    await ask(target);
    const [request] = file.gateway.upstream.requests;
    expect(request!.path).toBe('/v1/files?limit=1');
    expect(request!.header('host')).toBe(new URL(file.gateway.upstream.url).host);
    expect(JSON.stringify(request!.headers)).not.toMatch(/evil|password/i);
  });

  test('an absolute target of a route that names a model in its query is refused like a relative one', async () => {
    const answer = await ask(
      'http://gateway/v1/chat/completions?model=gpt-4o',
      'POST',
      'Content-Type: application/json',
    );
    expect(answer.status).toBe(400);
    expect(reached()).toEqual([]);
  });

  test.each(['/%761/files', '/v1/%66iles', '/v1/files?path=../../admin', '/v1/files?//evil.example', '/v1/files?a#b'])(
    '%s: what goes upstream goes to that route and no other, if at all',
    async (target) => {
      const answer = await ask(target);
      if (answer.status === 404) expect(reached()).toEqual([]);
      else expect(reached().map((path) => decodeURIComponent(path!))).toEqual(['/v1/files']);
    },
  );
});

test('no path, header or parameter moves the destination, or the credential that goes with it', async () => {
  const away = 'evil.example';
  const headers = [
    ...['X-Forwarded-Host', 'X-Original-Host', 'X-Host', 'Forwarded', 'X-Upstream', 'X-Base-Url', 'X-Target'],
    ...['X-Original-URL', 'X-Rewrite-URL', 'X-Portkey-Custom-Host', 'Helicone-Target-Url', 'Openai-Base-Url'],
  ].map((name) => `${name}: https://${away}/v1`);
  await ask(`/v1/files?base_url=https://${away}&api_base=https://${away}&host=${away}`, 'GET', ...headers);
  expect(file.gateway.upstream.requests).toHaveLength(1);
  const [request] = file.gateway.upstream.requests;
  expect(request!.header('host')).toBe(new URL(file.gateway.upstream.url).host);
  expect(request!.header('authorization')).toBe(`Bearer ${UPSTREAM_KEY}`);
  expect(JSON.stringify(request!.headers)).not.toContain(away);
  expect(JSON.stringify(request!.headers)).not.toContain(file.key.key);
});

test('members of a body that name a destination are the upstream’s to read, and move nothing', async () => {
  const away = {
    base_url: 'https://evil.example',
    api_base: 'https://evil.example',
    api_key: 'x',
    host: 'evil.example',
  };
  expect((await file.gateway.chat(file.key, away)).status).toBe(200);
  expect(reached()).toEqual(['/v1/chat/completions']);
});

describe('a model id in a path', () => {
  test('with dots or slashes never leaves the list: nothing is asked upstream for it', async () => {
    await ask('/v1/models');
    file.gateway.upstream.reset();
    for (const target of [
      '/v1/models/../files',
      '/v1/models/..%2ffiles',
      '/v1/models/a/../../files',
      '/v1/models/%2e%2e',
      '/v1/models//',
    ])
      expect([target, (await ask(target)).status]).toEqual([target, 404]);
    expect(reached().filter((path) => path !== '/v1/models')).toEqual([]);
  });
});

test('under /admin no spelling of a path steps around the guard', async () => {
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
    // With an API key, which is good for /v1 alone.
    const answer = await ask(target);
    // Where the dashboard is built, whatever lies below it is its page.
    const refused = [400, 401, 404].includes(answer.status) || answer.text.startsWith('<!doctype html>');
    expect([target, refused, answer.text.includes('key_hint')]).toEqual([target, true, false]);
  }
});
