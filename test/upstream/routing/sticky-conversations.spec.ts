import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MESSAGE, RESPONSE as MESSAGE_RESPONSE } from '../../support/message-responses.js';
import type { Key } from '../../support/gateway.js';
import { RoutedGateway } from './routed-gateway.js';

const SHARED = 'You are a careful assistant of the shop. '.repeat(80);
const CONVERSATIONS = 24;

const turnsOf = (conversation: number, turn: number) => [
  { role: 'user', content: `question ${conversation}` },
  ...Array.from({ length: turn }, () => [
    { role: 'assistant', content: 'answer' },
    { role: 'user', content: 'more' },
  ]).flat(),
];

describe('sticky conversations', () => {
  let routed: RoutedGateway;
  let key: Key;
  const upstream = (name: string) => ({
    name,
    apis: ['openai', 'anthropic'],
    models: ['gpt-5', 'claude-haiku-4-5', 'gpt-4o'],
  });
  const upstreams = [
    { name: 'a', weight: 1 },
    { name: 'b', weight: 1 },
  ];
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: [upstream('a'), upstream('b')],
      routes: [
        { models: 'gpt-4o', upstreams },
        { models: '*', upstreams, sticky: 'conversation' },
      ],
    });
    key = await routed.gateway.createKey({ rpm_limit: 10_000 });
  });
  beforeEach(() => {
    routed.reset();
    for (const name of ['a', 'b']) routed.provider(name).on('POST', '/v1/messages', () => ({ body: MESSAGE_RESPONSE }));
  });
  afterEach(() => routed.idle());
  afterAll(() => routed.stop());

  const upstreamOf = async (path: string, body: object, headers = {}): Promise<string> => {
    const response = await routed.gateway.call('POST', path, { key, body, headers });
    expect(response.status).toBe(200);
    return response.headers.get('x-gw-upstream')!;
  };

  test.each<[string, string, (conversation: number, turn: number) => object]>([
    [
      'chat',
      '/v1/chat/completions',
      (conversation, turn) => ({
        model: 'gpt-5',
        messages: [{ role: 'system', content: SHARED }, ...turnsOf(conversation, turn)],
      }),
    ],
    [
      'messages',
      '/v1/messages',
      (conversation, turn) => ({
        ...MESSAGE,
        model: 'claude-haiku-4-5',
        system: SHARED,
        messages: turnsOf(conversation, turn),
      }),
    ],
  ])('%s: no conversation moves, and a shared prompt does not gather them', async (_, path, request) => {
    const counts = { a: 0, b: 0 };
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      const first = await upstreamOf(path, request(conversation, 0));
      counts[first as 'a' | 'b'] += 1;
      for (const turn of [1, 2]) expect(await upstreamOf(path, request(conversation, turn))).toBe(first);
    }
    expect(Math.min(counts.a, counts.b)).toBeGreaterThan(CONVERSATIONS / 6);
  });

  test('the session in a header decides, regardless of the question', async () => {
    const ofSession = (session: string, question: number) =>
      upstreamOf(
        '/v1/chat/completions',
        { model: 'gpt-5', messages: turnsOf(question, 0) },
        { 'X-Claude-Code-Session-Id': session },
      );
    const seen = new Set<string>();
    for (let session = 0; session < 12; session++) {
      const first = await ofSession(`session ${session}`, 0);
      seen.add(first);
      for (const question of [1, 2, 3]) expect(await ofSession(`session ${session}`, question)).toBe(first);
    }
    expect(seen.size).toBe(2);
  });

  test('requests with one prompt_cache_key share an upstream of a weighted route that is not sticky', async () => {
    const seen = new Set<string>();
    for (let cacheKey = 0; cacheKey < 12; cacheKey++) {
      const ofKey = new Set<string>();
      for (let turn = 0; turn < 4; turn++)
        ofKey.add(
          await upstreamOf('/v1/chat/completions', {
            model: 'gpt-4o',
            prompt_cache_key: `key ${cacheKey}`,
            messages: turnsOf(turn, 0),
          }),
        );
      expect(ofKey.size).toBe(1);
      seen.add([...ofKey][0]!);
    }
    expect(seen.size).toBe(2);
  });
});
