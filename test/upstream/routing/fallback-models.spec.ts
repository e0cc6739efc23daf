import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FallbackReason } from '../../../src/platform/config/upstreams/upstreams-file.js';
import { fallbackReasonOf } from '../../../src/upstream/routing/fallback-reason.rules.js';
import type { Key } from '../../support/gateway.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import { RoutedGateway } from './routed-gateway.js';

const CHAT = '/v1/chat/completions';
const TOO_LONG = { error: { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' } };
const FILTERED = { error: { message: 'Filtered.', code: 'content_filter', innererror: { code: 'Other' } } };
const INVALID = { error: { message: 'temperature is too high', type: 'invalid_request_error', code: null } };

const modelOf = (body: Buffer): string => (JSON.parse(body.toString()) as { model: string }).model;

describe('fallback models of a route', () => {
  let routed: RoutedGateway;
  let key: Key;
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [
        { name: 'first', aliases: { long: 'gpt-4.1' } },
        { name: 'second', models: ['o1'], aliases: { long: 'gpt-4o' } },
      ],
      routes: [
        { models: 'gpt-4o-mini', upstreams: ['first'], fallbacks: { context_length: 'long', content_filter: 'o1' } },
        { models: 'long', upstreams: ['second', 'first'] },
        { models: 'o1', upstreams: ['second'], fallbacks: { context_length: 'gpt-4.1' } },
      ],
    });
    key = await routed.gateway.createKey();
  });
  beforeEach(() => routed.reset());
  afterAll(() => routed.stop());

  /** `error` for these models, and a completion for the others. */
  const rejects = (error: object, ...models: string[]) => {
    for (const provider of routed.providers.values())
      provider.on('POST', CHAT, ({ body }) =>
        models.includes(modelOf(body)) ? { status: 400, body: error } : { body: chatCompletion(modelOf(body)) },
      );
  };
  const sentTo = (name: string) =>
    routed
      .provider(name)
      .requests.filter(({ route }) => route === `POST ${CHAT}`)
      .map(({ body }) => body.toString());

  test('a request that is too long goes to the fallback, and only the model of its body changes', async () => {
    rejects(TOO_LONG, 'gpt-4o-mini');
    const body = ' {"messages": [{"role":"user","content":"gpt-4o-mini é"}],\n"model" : "gpt-4o-mini", "seed":1.0}';
    const response = await routed.gateway.call('POST', CHAT, { key, body });
    expect([response.status, response.body['model'], response.headers.get('x-gw-upstream')]).toEqual([
      200,
      'gpt-4o',
      'second',
    ]);
    expect(sentTo('first')).toEqual([body]);
    expect(sentTo('second')).toEqual([body.replace('"gpt-4o-mini", "seed"', '"gpt-4o", "seed"')]);
    expect(await routed.logOf(response)).toMatchObject({
      model: 'gpt-4o-mini',
      upstream: 'second',
      attempts: [
        { upstream: 'first', model: 'gpt-4o-mini', status: 400 },
        { upstream: 'second', model: 'gpt-4o', status: 200 },
      ],
    });
  });

  test('the cost is that of the fallback', async () => {
    rejects(TOO_LONG, 'gpt-4o-mini');
    const { headers } = await routed.gateway.chat(key, { model: 'gpt-4o-mini' });
    await routed.logOf({ headers });
    const path = `/admin/request-logs?request_id=${headers.get('x-request-id')}`;
    const { body } = await routed.gateway.admin<{ logs: { cost_details: { price: string } }[] }>('GET', path);
    expect(body.logs[0]!.cost_details.price).toMatch(/openai\/gpt-4o$/);
  });

  test('a request that the content filter rejects goes to the other fallback', async () => {
    rejects(FILTERED, 'gpt-4o-mini');
    const response = await routed.gateway.chat(key, { model: 'gpt-4o-mini' });
    expect([response.status, response.body['model']]).toEqual([200, 'o1']);
    const { body } = await routed.gateway.admin('GET', '/admin/upstreams/second');
    expect(body).toMatchObject({ fallbacks: { context_length: expect.any(Number), content_filter: 1 } });
  });

  test('any other error, and one of a model without fallbacks, reaches the client', async () => {
    rejects(INVALID, 'gpt-4o-mini');
    const other = await routed.gateway.chat(key, { model: 'gpt-4o-mini' });
    expect([other.status, other.text]).toEqual([502, expect.stringContaining('temperature is too high')]);
    rejects(TOO_LONG, 'gpt-4.1');
    expect((await routed.gateway.chat(key, { model: 'gpt-4.1' })).status).toBe(502);
    expect(routed.counts()).toEqual({ first: 2, second: 0 });
  });

  test('a fallback has no fallback itself', async () => {
    rejects(TOO_LONG, 'gpt-4o-mini', 'gpt-4o');
    const response = await routed.gateway.chat(key, { model: 'gpt-4o-mini' });
    expect([response.status, response.text]).toEqual([502, expect.stringContaining('Too long.')]);
    expect(routed.counts()).toEqual({ first: 1, second: 1 });
  });

  test('a key that cannot use the fallback gets the error', async () => {
    rejects(TOO_LONG, 'gpt-4o-mini');
    const restricted = await routed.gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
    expect((await routed.gateway.chat(restricted, { model: 'gpt-4o-mini' })).status).toBe(502);
    expect(routed.counts()).toEqual({ first: 1, second: 0 });
  });

  test('an upstream of the fallback that fails is followed by the next one', async () => {
    rejects(TOO_LONG, 'gpt-4o-mini');
    routed.provider('second').on('POST', CHAT, () => ({ status: 429, body: {} }));
    const response = await routed.gateway.chat(key, { model: 'gpt-4o-mini' });
    expect([response.status, response.body['model']]).toEqual([200, 'gpt-4.1']);
  });

  test('a limit for the fallback model, and its price under a limit of cost, apply to the request', async () => {
    const limited = async (limit: object): Promise<number> => {
      const own = await routed.gateway.createKey();
      const fields = { scope: 'key', key_id: own['id'], period: 'total', ...limit };
      expect((await routed.gateway.admin('POST', '/admin/limits', fields)).status).toBe(201);
      await routed.gateway.chat(own, { model: 'gpt-4o-mini' });
      return (await routed.gateway.chat(own, { model: 'gpt-4o-mini', max_tokens: 10_000 })).status;
    };
    expect(await limited({ measure: 'requests', amount: 1, models: ['gpt-4.1'] })).toBe(429);
    // 10,000 tokens of gpt-4o-mini cost $0.006, and those of o1 $0.60.
    expect(await limited({ measure: 'cost', amount: '0.1', reserve: 'full' })).toBe(429);
  });

  test('a client that leaves during the fallback ends it', async () => {
    rejects(TOO_LONG, 'gpt-4o-mini');
    routed.provider('second').on('POST', CHAT, () => {});
    const client = new AbortController();
    const sent = routed.gateway.chat(key, { model: 'gpt-4o-mini' }, { signal: client.signal }).catch(() => 'left');
    const received = await routed.provider('second').received(0, `POST ${CHAT}`);
    client.abort();
    expect(await sent).toBe('left');
    await received.gone;
    await routed.idle();
  });
});

const ERRORS: readonly (readonly [reason: FallbackReason | null, body: object | string])[] = [
  ['context_length', TOO_LONG],
  [
    'context_length',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    },
  ],
  [
    'context_length',
    {
      object: 'error',
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
    },
  ],
  [
    'context_length',
    [
      {
        error: {
          code: 400,
          message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048575).',
        },
      },
    ],
  ],
  ['context_length', { message: 'Input is too long for requested model.' }],
  ['content_filter', FILTERED],
  ['content_filter', { error: { code: null, innererror: { code: 'ResponsibleAIPolicyViolation' } } }],
  [
    'content_filter',
    { error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' } },
  ],
  [
    'content_filter',
    {
      error: { code: 'invalid_prompt', message: 'Your prompt was flagged as potentially violating our usage policy.' },
    },
  ],
  [null, INVALID],
  [
    null,
    { error: { message: 'max_tokens is too large: 99999. This model supports at most 16384 completion tokens.' } },
  ],
  [null, { error: { message: { context: 'context length exceeded' } } }],
  [null, 'maximum context length exceeded'],
  [null, '{"error":'],
];

test.each(ERRORS)('the error of a provider stands for %s: %j', (reason, body) => {
  expect(fallbackReasonOf(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))).toBe(reason);
});
