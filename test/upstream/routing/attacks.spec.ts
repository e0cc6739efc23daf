import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import type { ReceivedRequest } from '../../../sandbox/src/scripted/received-request.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import type { Key } from '../../support/gateway.js';
import { Wire } from '../../support/wire.js';
import { RoutedGateway, respondsWith } from './routed-gateway.js';

const HIDDEN = 'secret-of-the-configured-header-0123456789';
const CREDENTIAL = 'credential-of-the-azure-account-0123456789';

describe('requests that try to influence the account', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start(
      {
        upstreams: [
          {
            name: 'azure',
            query: { 'api-version': '2025-04-01-preview', 'a b': 'c&d' },
            headers: {
              'OpenAI-Organization': 'org-123',
              'User-Agent': 'configured',
              'OpenAI-Beta': 'configured-beta',
              'X-Hidden': { env: 'ROUTED_HEADER' },
            },
            credential: { env: 'ROUTED_CREDENTIAL', header: 'api-key' },
          },
        ],
      },
      { ROUTED_HEADER: HIDDEN, ROUTED_CREDENTIAL: CREDENTIAL },
    );
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  const received = async (path: string, headers: Record<string, string> = {}): Promise<ReceivedRequest> => {
    const response = await routed.gateway.call('POST', path, {
      key,
      headers,
      body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return routed.provider('azure').requests.find(({ route }) => route === 'POST /v1/chat/completions')!;
  };
  const valuesOf = ({ headers }: ReceivedRequest, name: string) =>
    headers.filter((_, at) => at % 2 === 1 && headers[at - 1]!.toLowerCase() === name);

  test('configured headers replace those of the client, and each is sent once', async () => {
    const request = await received('/v1/chat/completions', {
      'user-agent': 'client',
      'openai-beta': 'client-beta',
      'openai-organization': 'org-of-the-client',
      'x-hidden': 'client',
      'api-key': 'client',
    });
    expect({
      organization: valuesOf(request, 'openai-organization'),
      agent: valuesOf(request, 'user-agent'),
      beta: valuesOf(request, 'openai-beta'),
      hidden: valuesOf(request, 'x-hidden'),
      credential: valuesOf(request, 'api-key'),
      authorization: valuesOf(request, 'authorization'),
    }).toEqual({
      organization: ['org-123'],
      agent: ['configured'],
      beta: ['configured-beta'],
      hidden: [HIDDEN],
      credential: [CREDENTIAL],
      authorization: [],
    });
  });

  test.each([
    ['', ''],
    ['?', ''],
    ['?x=1', 'x=1&'],
    ['?api-version=1999', ''],
    ['?api%2Dversion=1999&x=1', 'x=1&'],
    ['?API-Version=1999', ''],
    ['?x=1&api-version', 'x=1&'],
    ['?a+b=evil&a%20b=evil', ''],
    ['?x=api-version', 'x=api-version&'],
  ])('the query %j of a client does not change a configured parameter', async (query, kept) => {
    const { path } = await received(`/v1/chat/completions${query}`);
    expect(path).toBe(`/v1/chat/completions?${kept}api-version=2025-04-01-preview&a%20b=c%26d`);
  });

  test('neither the client nor the provider sets X-GW-Upstream', async () => {
    respondsWith(routed.provider('azure'), 200, { 'x-gw-upstream': 'provider', 'X-GW-Upstream-Status': '418' });
    const response = await routed.gateway.chat(key, {}, { headers: { 'x-gw-upstream': 'client' } });
    expect(response.headers.get('x-gw-upstream')).toBe('azure');
    expect(response.headers.get('x-gw-upstream-status')).toBeNull();
    const [request] = routed.provider('azure').requests;
    expect(valuesOf(request!, 'x-gw-upstream')).toEqual([]);
  });

  test.each([HIDDEN, CREDENTIAL])('an echo of the configured secret %s does not reach the client', async (secret) => {
    const provider = routed.provider('azure');
    provider.on('POST', '/v1/chat/completions', () => ({
      status: 400,
      headers: { 'x-request-id': secret, 'retry-after': secret },
      body: { error: { message: `invalid header ${secret}` } },
    }));
    const response = await routed.gateway.chat(key);
    expect(response.status).toBe(502);
    expect(JSON.stringify([response.text, ...response.headers])).not.toContain(secret);
    provider.on('POST', '/v1/chat/completions', () => ({
      headers: { 'openai-version': `v ${secret}` },
      body: chatCompletion('gpt-4o-mini'),
    }));
    const served = await routed.gateway.chat(key);
    expect([served.status, JSON.stringify([...served.headers]).includes(secret)]).toEqual([200, false]);
  });

  test('a line break in a header of the client reaches no provider', async () => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] });
    const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key.key}\r\nContent-Type: application/json\r\n`;
    const bytes = `${head}OpenAI-Beta: a\rX-Hidden: b\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const { status } = await Wire.once(routed.gateway.port, bytes);
    expect(status).toBe(400);
    expect(routed.counts()).toEqual({ azure: 0 });
  });
});

describe('models with unusual names', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'modèle-ß-日本', 'a b', 'x'.repeat(200), '*', 'a*b'];
  const ALIASES = Object.fromEntries(NAMES.map((name) => [name, 'gpt-4o-mini']));
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    const aliases = JSON.parse(
      `{${Object.keys(ALIASES)
        .concat('__proto__')
        .map((name) => `${JSON.stringify(name)}: "gpt-4o-mini"`)
        .join(',')}}`,
    ) as object;
    routed = await RoutedGateway.start({
      upstreams: [{ name: 'first', models: ['hasOwnProperty', 'real-*'], aliases }],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  test.each(NAMES)('the alias %s is an ordinary alias', async (model) => {
    const response = await routed.gateway.chat(key, { model });
    expect([response.status, response.body]).toEqual([200, expect.objectContaining({ model: 'gpt-4o-mini' })]);
  });

  test('the model hasOwnProperty is an ordinary model', async () => {
    const response = await routed.gateway.chat(key, { model: 'hasOwnProperty' });
    expect([response.status, response.body['model']]).toEqual([200, 'hasOwnProperty']);
  });

  test.each(['valueOf', 'isPrototypeOf', 'real-1', '', 'x'.repeat(201), ' gpt-4o-mini', 'GPT-4O-MINI'])(
    '%j is not served, because no list names it',
    async (model) => {
      const response = await routed.gateway.chat(key, { model });
      expect([400, 403]).toContain(response.status);
      expect(routed.counts()).toEqual({ first: 0 });
    },
  );
});

test('all secrets of a large file are redacted, also after a reload', async () => {
  const names = Array.from({ length: 400 }, (_, at) => `SECRET_${at}`);
  const env = Object.fromEntries(names.map((name) => [name, `value-of-${name}-0123456789abcdef`]));
  const upstreams = Array.from({ length: 10 }, (_, up) => ({
    name: `up-${up}`,
    models: ['gpt-4o'],
    headers: Object.fromEntries(
      names.slice(up * 40, up * 40 + 40).map((name) => [name.replace('_', '-'), { env: name }]),
    ),
  }));
  const routed = await RoutedGateway.start({ upstreams }, env);
  const { secrets } = routed.gateway.app.get(UpstreamClient);
  routed.reload({ upstreams: upstreams.map((upstream) => ({ ...upstream, region: 'eu' })) });
  const reloaded = routed.gateway.app.get(UpstreamClient).secrets;
  expect([secrets.length, reloaded.length]).toEqual([400, 400]);
  expect(new Set(reloaded)).toEqual(new Set(Object.values(env)));
  await routed.stop();
});
