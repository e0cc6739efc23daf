import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { upstreamRequestHeaders } from '../../src/upstream/request-headers.js';
import { forwardedResponseHeaders } from '../../src/upstream/response-headers.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { CHAT, send, startForwarding, type ForwardingApp, UPSTREAM_KEY } from './forwarding-app.js';

const OWN = ['x-request-id', 'own-id', 'x-gw-latency', '3', 'x-ratelimit-limit-requests', '60'];

describe('request and response headers', () => {
  let upstream: ScriptedUpstream;
  let app: ForwardingApp;
  beforeAll(async () => {
    upstream = await startUpstream();
    app = await startForwarding({ url: upstream.url, ownHeaders: OWN });
  });
  afterAll(async () => {
    await app.stop();
    await upstream.stop();
  });
  beforeEach(() => upstream.reset());

  test('sends exactly the allowlisted headers, the credential and the length upstream', async () => {
    const forwarded = {
      accept: 'text/event-stream',
      'openai-beta': 'assistants=v2',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
      'idempotency-key': 'once',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
      'user-agent': 'sdk/1.0 caf\xe9',
    };
    const dropped = {
      authorization: 'Bearer sk-gw-client',
      'x-api-key': 'sk-gw-client',
      'api-key': 'sk-gw-client',
      cookie: 'gw_admin_session=1; __Host-gw_admin_session=1',
      'accept-encoding': 'gzip, br',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      host: 'evil.example',
      'proxy-authorization': 'Basic x',
      'openai-organization': 'org-of-the-client',
      'x-request-id': 'clients-own',
      te: 'trailers',
      'x-anything': 'else',
    };
    await send(app.port, { headers: { ...forwarded, ...dropped } });
    const seen = pairs((await upstream.received(0)).headers);
    expect(seen).toEqual(
      sorted([
        ...Object.entries(forwarded),
        ['content-type', 'application/json'],
        ['content-length', String(JSON.stringify(CHAT).length)],
        ['accept-encoding', 'identity'],
        ['authorization', `Bearer ${UPSTREAM_KEY}`],
        ['host', new URL(upstream.url).host],
        ['connection', 'keep-alive'],
      ]),
    );
  });

  test('sends no Authorization upstream without a configured credential', async () => {
    const keyless = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_API_KEY: '' } });
    await send(keyless.port, { headers: { authorization: 'Bearer sk-gw-client' } });
    expect((await upstream.received(0)).header('authorization')).toBeUndefined();
    await keyless.stop();
  });

  test('sends requests only to the configured upstream, regardless of path, Host and query', async () => {
    for (const path of ['/v1//evil.example/x?key=1&a=%zz', '/v1/@evil.example/', '/v1/x?url=http://evil.example']) {
      await send(app.port, { method: 'GET', path, headers: { host: 'evil.example' } });
    }
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      '/v1//evil.example/x?a=%zz',
      '/v1/@evil.example/',
      '/v1/x?url=http://evil.example',
    ]);
  });

  test('forwards exactly the allowlisted response headers, which never replace those of the gateway', async () => {
    upstream.on('POST', '/v1/chat/completions', (_request, response) => {
      response.writeHead(200, [
        'Content-Type',
        'application/json',
        'Cache-Control',
        'no-store',
        'X-Request-Id',
        'upstream-id',
        'X-RateLimit-Limit-Requests',
        '999',
        'x-ratelimit-remaining-requests',
        '998',
        'request-id',
        'req_1',
        'anthropic-ratelimit-requests-limit',
        '50',
        'x-ratelimit-remaining-tokens-usage-based',
        '7',
        'openai-processing-ms',
        '12',
        'openai-model',
        'm',
        'openai-version',
        '2020-10-01',
        'x-openrouter-model',
        'm',
        'x-cache',
        'HIT',
        'cf-cache-status',
        'DYNAMIC',
        'cf-ray',
        'abc\xe9-FRA',
        'x-quota-allowed',
        '1',
        'x-quota-available',
        '2',
        'x-quota-reset',
        '3',
        'retry-after',
        '4',
        'set-cookie',
        'a=b',
        'server',
        'cloudflare',
        'openai-organization',
        'org-secret',
        'via',
        '1.1 x',
        'x-gw-model',
        'forged',
        'x-gw-key-name',
        'forged',
        'access-control-allow-origin',
        'https://x',
        'x-gw-latency',
        '0',
        'strict-transport-security',
        'max-age=1',
        'alt-svc',
        'h3',
        '__proto__',
        'x',
      ]);
      response.end('{}');
    });
    const received = await send(app.port);
    const { rawHeaders } = received;
    expect(pairs(rawHeaders.slice(0, OWN.length))).toEqual(pairs(OWN));
    expect(pairs(rawHeaders.slice(OWN.length)).filter(([name]) => !NODES_OWN.has(name))).toEqual(
      sorted([
        ['content-type', 'application/json'] as const,
        ['cache-control', 'no-store'] as const,
        ['x-gw-upstream-request-id', 'upstream-id'] as const,
        ['request-id', 'req_1'] as const,
        ['x-ratelimit-remaining-requests', '998'] as const,
        ['retry-after', '4'] as const,
        ['anthropic-ratelimit-requests-limit', '50'],
        ['x-ratelimit-remaining-tokens-usage-based', '7'],
        ['openai-processing-ms', '12'] as const,
        ['openai-model', 'm'] as const,
        ['openai-version', '2020-10-01'] as const,
        ['x-openrouter-model', 'm'] as const,
        ['x-cache', 'HIT'] as const,
        ['cf-cache-status', 'DYNAMIC'] as const,
        ['cf-ray', 'abc\xe9-FRA'] as const,
        ['x-quota-allowed', '1'] as const,
        ['x-quota-available', '2'] as const,
        ['x-quota-reset', '3'] as const,
        ['content-length', '2'],
      ]),
    );
  });

  test('never forwards a response header that contains the account credential', async () => {
    const secret = 'account-secret-of-forty-characters-or-so';
    const echoing = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_API_KEY: secret } });
    for (const status of [200, 429]) {
      upstream.on('POST', '/v1/chat/completions', (_request, response) => {
        const echoes = { 'x-request-id': secret, 'openai-model': `of ${secret}`, 'retry-after': `1 ${secret}` };
        response.writeHead(status, { 'content-type': 'application/json', 'cf-ray': 'kept', ...echoes });
        response.end('{}');
      });
      const { rawHeaders } = await send(echoing.port);
      expect(rawHeaders.join()).not.toContain(secret);
      expect(rawHeaders.includes('kept')).toBe(status === 200);
    }
    await echoing.stop();
  });

  test.each(['account-secret-of-forty-characters-or-so', 'gpt \\u0061ccount-secret-of-forty-characters-or-so'])(
    'ignores a response model that contains the account credential: %s',
    async (model) => {
      const env = { GW_UPSTREAM_API_KEY: 'account-secret-of-forty-characters-or-so' };
      const echoing = await startForwarding({ url: upstream.url, env });
      upstream.on('POST', '/v1/chat/completions', (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(`{"model":"${model}"}`);
      });
      expect((await send(echoing.port)).status).toBe(200);
      expect(echoing.contexts.map((ctx) => ctx.upstream.responseModel)).toEqual([null]);
      await echoing.stop();
    },
  );

  test('a short credential such as "json" does not remove headers that contain it', async () => {
    const keyless = await startForwarding({ url: upstream.url, env: { GW_UPSTREAM_API_KEY: 'json' } });
    const { rawHeaders } = await send(keyless.port);
    expect(rawHeaders).toContain('application/json');
    await keyless.stop();
  });
});

describe('forwardedResponseHeaders', () => {
  test('omits a header value that Node would reject', () => {
    const headers = { 'cf-ray': 'a\x01b', 'x-cache': 'ok', 'retry-after': ['1', '2'] as unknown as string };
    expect(forwardedResponseHeaders(headers, [])).toEqual(['x-cache', 'ok', 'retry-after', '1']);
  });

  test('forwards rate limit headers that the gateway does not set, and the file name of a file', () => {
    const limits = ['requests', 'tokens'].flatMap((what) =>
      ['limit', 'remaining', 'reset'].map((figure) => [`x-ratelimit-${figure}-${what}`, '1'] as const),
    );
    const upstream = {
      ...Object.fromEntries(limits),
      'content-disposition': 'a\tb',
      'x-other': '1',
      'x-cache': '',
      'cf-ray': undefined,
    };
    const own = ['x-request-id', 'x-cache'];
    expect(pairs(forwardedResponseHeaders(upstream, own, true))).toEqual(
      sorted([...limits, ['content-disposition', 'a\tb'], ['x-cache', '']]),
    );
  });
});

describe('upstreamRequestHeaders', () => {
  const given = { accountHeaders: ['x-api-key', 'account'], api: 'openai' } as const;
  const ENDS = ['accept-encoding', 'identity', 'x-api-key', 'account'];

  test('omits a header value that undici would reject, and leaves other values unchanged', () => {
    for (const value of ['\x01a', 'a\x01', 'a\x7f', 'a\u0100']) {
      expect([value, upstreamRequestHeaders({ accept: value }, given)]).toEqual([value, ENDS]);
    }
    for (const value of ['', '\ta', 'caf\xe9 ~']) {
      expect(upstreamRequestHeaders({ accept: value }, given)).toEqual(['accept', value, ...ENDS]);
    }
  });

  test('adds anthropic-version for the Messages upstream if the client does not send it', () => {
    const messages = { ...given, api: 'anthropic' } as const;
    expect(upstreamRequestHeaders({}, messages)).toEqual(['anthropic-version', '2023-06-01', ...ENDS]);
    expect(upstreamRequestHeaders({ accept: 'anthropic-version' }, messages)).toEqual([
      'accept',
      'anthropic-version',
      'anthropic-version',
      '2023-06-01',
      ...ENDS,
    ]);
    expect(upstreamRequestHeaders({ 'anthropic-version': '2', accept: 'anthropic-version' }, messages)).toEqual([
      'accept',
      'anthropic-version',
      'anthropic-version',
      '2',
      ...ENDS,
    ]);
    expect(upstreamRequestHeaders({}, given)).toEqual(ENDS);
  });

  test('headers of the route replace those of the client', () => {
    const routeHeaders = { accept: 'audio/mpeg', 'x-route-1': 'b' };
    expect(upstreamRequestHeaders({ accept: 'text/plain', 'user-agent': 'sdk' }, { ...given, routeHeaders })).toEqual([
      'accept',
      'audio/mpeg',
      'user-agent',
      'sdk',
      'x-route-1',
      'b',
      ...ENDS,
    ]);
  });

  test.each([
    'authorization',
    'x-api-key',
    'host',
    'connection',
    'content-length',
    'transfer-encoding',
    'keep-alive',
    'upgrade',
    'expect',
    'te',
    'trailer',
    'accept-encoding',
    'X-Route',
    'x:y',
    ':x',
    'x:',
    '',
  ])('a route cannot set the header %j', (name) => {
    expect(() => upstreamRequestHeaders({}, { ...given, routeHeaders: { [name]: 'v' } })).toThrow(
      `A route must not set the header ${name}`,
    );
  });
});

const NODES_OWN: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

type Pair = readonly [string, string];
const sorted = (list: readonly Pair[]): Pair[] => [...list].sort(([a], [b]) => (a < b ? -1 : 1));

function pairs(flat: readonly string[]): Pair[] {
  const list: Pair[] = [];
  for (let at = 0; at < flat.length; at += 2) list.push([(flat[at] as string).toLowerCase(), flat[at + 1] as string]);
  return sorted(list);
}
