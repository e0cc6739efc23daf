import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ADMIN_KEY,
  SECRET_KEY,
  UPSTREAM_KEY,
  type TestGateway,
  type Response,
  type Key,
} from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import { until } from '../../support/until.js';
import { CHAT, errorIn, errorCodeIn, snapshot } from '../../support/responses.js';
import { pinnedKey } from '../../support/pinned-key.js';

const PATH = '/v1/chat/completions';
const WINDOWS = ['requests', 'day', 'month', 'tokens'];
const ALL_LIMITS = { rpm_limit: 10, rpd_limit: 100, monthly_limit: 1000, monthly_token_limit: 10_000 };

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
  key = await gateway.createKey({ name: 'team' });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

/** Returns the header names of a response, except those that every HTTP server sends. */
const namesOf = ({ headers }: Response) =>
  [...headers.keys()]
    .filter((name) => !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(name))
    .sort();
const rateLimits = (...windows: string[]) =>
  windows.flatMap((window) => ['limit', 'remaining', 'reset'].map((what) => `x-ratelimit-${what}-${window}`));
const sorted = (...names: string[]) => names.sort();

const OF_SERVED = [
  'x-request-id',
  'x-gw-latency',
  'x-gw-upstream-latency',
  'x-gw-model',
  'x-gw-key-name',
  'content-type',
];

test('X-GW-Model is the requested model if the response model contains the provider credential', async () => {
  gateway.upstream.on('POST', PATH, (_request, response) => {
    const received = { ...chatCompletion('gpt-4o-mini'), model: `m ${UPSTREAM_KEY}` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(received));
  });
  const { status, headers } = await gateway.chat(key);
  expect([status, headers.get('x-gw-model')]).toEqual([200, 'gpt-4o-mini']);
});

describe('headers of a served request', () => {
  test('a buffered response has every documented header if the key has every limit', async () => {
    const limited = await pinnedKey(gateway, { name: 'limited', ...ALL_LIMITS });
    const response = await gateway.chat(limited);
    expect(namesOf(response)).toEqual(sorted(...OF_SERVED, 'content-length', ...rateLimits(...WINDOWS)));
    const value = (name: string) => response.headers.get(name);
    expect(value('x-gw-key-name')).toBe('limited');
    expect(WINDOWS.map((window) => value(`x-ratelimit-limit-${window}`))).toEqual(['10', '100', '1000', '10000']);
    expect(WINDOWS.map((window) => value(`x-ratelimit-remaining-${window}`))).toEqual(['9', '99', '999', '10000']);
    for (const window of WINDOWS) expect(value(`x-ratelimit-reset-${window}`)).toMatch(/^[1-9]\d*s$/);
    for (const name of ['x-gw-latency', 'x-gw-upstream-latency']) expect(value(name)).toMatch(/^\d+$/);
    expect(Number(value('x-gw-latency'))).toBeGreaterThanOrEqual(Number(value('x-gw-upstream-latency')));
  });

  test('a streamed response has the same headers, but no length', async () => {
    const limited = await pinnedKey(gateway, ALL_LIMITS);
    const response = await gateway.chat(limited, { stream: true });
    expect(namesOf(response)).toEqual(sorted(...OF_SERVED, 'x-accel-buffering', ...rateLimits(...WINDOWS)));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
  });

  test('headers about month and tokens are absent without such limits', async () => {
    expect(namesOf(await gateway.chat(key))).toEqual(
      sorted(...OF_SERVED, 'content-length', ...rateLimits('requests', 'day')),
    );
  });

  test('X-GW-Model is the response model if buffered, and the requested model if streamed', async () => {
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(chatCompletion('gpt-4o-mini-2024-07-18')));
    });
    expect((await gateway.chat(key)).headers.get('x-gw-model')).toBe('gpt-4o-mini-2024-07-18');
    gateway.upstream.reset();
    expect((await gateway.chat(key, { stream: true })).headers.get('x-gw-model')).toBe('gpt-4o-mini');
  });

  test('the remaining quota includes the request itself, unless an earlier stage rejects it', async () => {
    const limited = await pinnedKey(gateway, { rpm_limit: 3 });
    const remaining = async (call: Promise<Response>) => (await call).headers.get('x-ratelimit-remaining-requests');
    expect(await remaining(gateway.chat(limited))).toBe('2');
    expect(await remaining(gateway.call('POST', PATH, { key: limited, body: '{' }))).toBe('2');
    expect(await remaining(gateway.chat(limited, { model: 'nope' }))).toBe('2');
    expect(await remaining(gateway.chat(limited, { n: 0 }))).toBe('1');
    expect(await remaining(gateway.call('GET', '/v1/usage', { key: limited }))).toBe('1');
    expect(await remaining(gateway.call('GET', '/v1/models', { key: limited }))).toBe('0');
    expect(await remaining(gateway.chat(limited))).toBe('0');
  });
});

describe('headers of a rejected request', () => {
  const suspended = async () => {
    const made = await gateway.createKey();
    await gateway.admin('POST', `/admin/api-keys/${made.id}/suspend`);
    return gateway.chat(made);
  };
  const used = async () => {
    const made = await pinnedKey(gateway, { name: 'team', rpm_limit: 1 });
    await gateway.chat(made);
    return gateway.chat(made);
  };
  const upstreamDown = () => {
    gateway.upstream.on('POST', PATH, (_request, response) => void response.writeHead(500).end());
    return gateway.chat(key);
  };
  const LATENCY = 'x-gw-latency';
  const NAME = 'x-gw-key-name';
  const MODEL = 'x-gw-model';
  const FIGURES = rateLimits('requests', 'day');

  test.each<[string, string, () => Promise<Response>, string[]]>([
    ['401 missing_api_key', 'no raw key', () => gateway.call('POST', PATH, { body: CHAT }), [LATENCY]],
    ['401 invalid_api_key', 'an unknown key', () => gateway.chat('sk-gw-none'), [LATENCY]],
    ['401 invalid_api_key', 'an admin key', () => gateway.chat(ADMIN_KEY), [LATENCY]],
    ['403 api_key_suspended', 'a suspended key', suspended, [LATENCY]],
    ['400 invalid_json', 'bad JSON', () => gateway.call('POST', PATH, { key, body: '{' }), [LATENCY, NAME, ...FIGURES]],
    [
      '403 model_not_available model',
      'an unknown model',
      () => gateway.chat(key, { model: 'nope' }),
      [LATENCY, MODEL, ...FIGURES],
    ],
    [
      '400 model_endpoint_mismatch model',
      'a model of another kind',
      () => gateway.chat(key, { model: 'tts-1' }),
      [LATENCY, NAME, MODEL, ...FIGURES],
    ],
    ['429 rate_limit_exceeded', 'a spent quota', used, [LATENCY, NAME, MODEL, ...FIGURES, 'retry-after']],
    ['400 invalid_value n', 'a field', () => gateway.chat(key, { n: 0 }), [LATENCY, NAME, MODEL, ...FIGURES]],
    [
      '404 not_found',
      'an unknown model in the path',
      () => gateway.call('GET', '/v1/models/x', { key }),
      [LATENCY, NAME, ...FIGURES],
    ],
    [
      '502 upstream_error',
      'an upstream error',
      upstreamDown,
      [LATENCY, 'x-gw-upstream-latency', 'x-gw-upstream-status', NAME, MODEL, ...FIGURES],
    ],
    ['404 route_not_found', 'a wrong path', () => gateway.call('GET', '/v1/nothing', { key }), []],
  ])(
    '%s for %s has exactly the documented headers, and the body has the request ID',
    async (code, _by, call, names) => {
      const response = await call();
      expect(errorCodeIn(response)).toBe(code);
      expect(namesOf(response)).toEqual(sorted('x-request-id', 'content-type', 'content-length', ...names));
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(errorIn(response).request_id).toBe(response.headers.get('x-request-id'));
    },
  );
});

describe('headers of a 429', () => {
  test.each([
    ['requests', { rpm_limit: 1 }, null],
    ['day', { rpd_limit: 1 }, 'false'],
    ['month', { monthly_limit: 1 }, 'false'],
    ['tokens', { monthly_token_limit: 1 }, 'false'],
  ])('a 429 for %s has retry-after, and x-should-retry: false unless waiting helps', async (window, limit, retry) => {
    const limited = await pinnedKey(gateway, limit);
    expect((await gateway.chat(limited)).status).toBe(200);
    if (window === 'tokens') {
      await until(async () => (await snapshot(gateway, limited)).this_month.tokens.used === 12);
    }
    const { status, headers } = await gateway.chat(limited);
    expect(status).toBe(429);
    expect(`${headers.get('retry-after')}s`).toBe(headers.get(`x-ratelimit-reset-${window}`));
    expect(headers.get(`x-ratelimit-remaining-${window}`)).toBe('0');
    expect(headers.get('x-should-retry')).toBe(retry);
  });
});

describe('X-GW-Client-Id', () => {
  test.each([
    ['abc', 'abc'],
    ['A-z_0.9', 'A-z_0.9'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), null],
    [`sk-gw-${'x'.repeat(40)}`, null],
    [`of-admin_gw_${'x'.repeat(20)}`, null],
    ['', null],
    ['with blank', null],
    ['semi;colon', null],
    ['a,b', null],
    ['é', null],
    ['<script>', null],
  ])('the x-request-id %j is echoed as %j', async (sent, echoed) => {
    const call = { key, headers: { 'x-request-id': sent } };
    for (const path of ['/v1/usage', '/v1/nothing', '/health']) {
      expect((await gateway.call('GET', path, call)).headers.get('x-gw-client-id')).toBe(echoed);
    }
  });
});

describe('X-GW-Key-Name', () => {
  test.each([
    ['Büro 100%', 'B%C3%BCro 100%25'],
    ['100%', '100%'],
    ['世界', '%E4%B8%96%E7%95%8C'],
    ['mine: sk-proj-abcdefghijklmnop', 'mine: [redacted]'],
    ['a\r\nSet-Cookie: x', 'a%0D%0ASet-Cookie: x'],
  ])('the key name %j is sent as %j', async (name, shown) => {
    const named = await gateway.createKey({ name });
    expect((await gateway.call('GET', '/v1/usage', { key: named })).headers.get('x-gw-key-name')).toBe(shown);
  });

  test('a credential in the key name is redacted in the body of /v1/usage too', async () => {
    const named = await gateway.createKey({ name: `admin_gw_${'a1'.repeat(16)} and sk-proj-abcdefghijklmnop` });
    const { text } = await gateway.call('GET', '/v1/usage', { key: named });
    expect(JSON.parse(text)).toMatchObject({ key_name: 'admin_gw_[redacted] and [redacted]' });
  });
});

describe('routes outside /v1', () => {
  test.each(['/health', '/health/live', '/health/ready', '/openapi.json', '/docs', '/nothing'])(
    '%s has a request ID and no header about keys',
    async (path) => {
      const { headers } = await gateway.call('GET', path, { key });
      expect(headers.get('x-request-id')).toBeTruthy();
      expect([...headers.keys()].filter((name) => /^x-(gw|ratelimit)/.test(name))).toEqual([]);
    },
  );

  test('responses of the Admin API must not be cached', async () => {
    const { headers } = await gateway.admin('GET', '/admin/api-keys');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toBeTruthy();
  });
});

describe('headers from the upstream', () => {
  test('allowlisted headers are forwarded, but do not replace those of the gateway', async () => {
    const limited = await pinnedKey(gateway, ALL_LIMITS);
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        'X-Request-Id': 'req_upstream',
        'x-ratelimit-limit-requests': '7',
        'X-RateLimit-Remaining-Tokens': '8',
        'x-gw-key-name': 'forged',
        'openai-processing-ms': '9',
        'anthropic-ratelimit-tokens-limit': '10',
        'cf-ray': 'ray',
        'x-cache': 'HIT',
        'set-cookie': 'a=b',
        server: 'nginx',
        'openai-organization': 'org',
        'access-control-allow-origin': 'x',
      });
      response.end('{}');
    });
    const { headers } = await gateway.chat(limited);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-cache',
      'x-gw-upstream-request-id': 'req_upstream',
      'x-ratelimit-limit-requests': '10',
      'x-ratelimit-remaining-tokens': '10000',
      'openai-processing-ms': '9',
      'anthropic-ratelimit-tokens-limit': '10',
      'cf-ray': 'ray',
      'x-cache': 'HIT',
    });
    for (const name of ['set-cookie', 'server', 'openai-organization', 'access-control-allow-origin'])
      expect(headers.get(name)).toBeNull();
    expect(headers.get('x-gw-key-name')).toBe('test');
    const free = await gateway.chat(key);
    expect(free.headers.get('x-ratelimit-remaining-tokens')).toBe('8');
  });
});

test.each(['/health', '/health/live', '/health/ready'])('HEAD %s returns the headers of GET', async (path) => {
  const head = async (method: string) => {
    const { status, headers, text } = await gateway.call(method, path);
    const of = (name: string) => headers.get(name);
    return { status, type: of('content-type'), length: of('content-length'), empty: text === '' };
  };
  expect(await head('HEAD')).toEqual({ ...(await head('GET')), empty: true });
});

describe('production mode', () => {
  test('X-GW-Worker is the version, on successful and rejected requests under /v1', async () => {
    expect((await gateway.chat(key)).headers.get('x-gw-worker')).toBeNull();
    const production = await startGateway({
      NODE_ENV: 'production',
      GW_SECRET_KEY: SECRET_KEY,
      GW_DRAIN_DELAY_SECONDS: '0',
    });
    const made = await production.createKey();
    expect((await production.chat(made)).headers.get('x-gw-worker')).toBe('test');
    expect((await production.chat('none')).headers.get('x-gw-worker')).toBe('test');
    await production.stop();
  });
});
