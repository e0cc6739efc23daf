import { describe, expect, test } from '@jest/globals';
import type { Candidate } from '../../../src/model-policy/upstream-candidates.service.js';
import type { JsonObject } from '../../../src/platform/validation/check.js';
import { orderCandidates } from '../../../src/upstream/routing/candidate-order.rules.js';
import { conversationKey } from '../../../src/upstream/routing/conversation-key.rules.js';
import { cpuTimeOf } from '../../support/cpu-time.js';

const SHARED = 'You are a careful assistant of the shop. '.repeat(500);
const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const cached = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });
const plain = (text: string) => ({ type: 'text', text });
const input = (text: string) => ({ type: 'input_text', text });

/** The messages of a turn, starting with 0. The first ones are in every turn. */
const history = (first: readonly unknown[], turn: number): unknown[] => [
  ...first,
  ...Array.from({ length: turn }, (_, at) => [assistant(`answer ${at}`), user(`more ${at}`)]).flat(),
];

/** The request of each turn of a conversation, by client. Its first question is the only thing that identifies it. */
const CLIENTS: [string, (question: string, turn: number) => JsonObject][] = [
  ['chat without instructions', (question, turn) => ({ messages: history([user(question)], turn) })],
  [
    'chat with a long system prompt',
    (question, turn) => ({ messages: history([{ role: 'system', content: SHARED }, user(question)], turn) }),
  ],
  [
    'chat with two instructions',
    (question, turn) => ({
      messages: history(
        [{ role: 'system', content: SHARED }, { role: 'developer', content: 'Be brief.' }, user(question)],
        turn,
      ),
    }),
  ],
  [
    'chat whose text becomes a list of parts',
    (question, turn) => ({ messages: history([user(turn === 0 ? question : [plain(question)])], turn) }),
  ],
  [
    'chat with a long document before the question',
    (question, turn) => ({ messages: history([user(SHARED.repeat(100) + question)], turn) }),
  ],
  [
    'chat with many documents before the question',
    (question, turn) => ({
      messages: history([user([...Array.from({ length: 900 }, () => plain(SHARED)), plain(question)])], turn),
    }),
  ],
  [
    'chat with the same text and different images',
    (question, turn) => ({
      messages: history(
        [user([plain('What is this?'), { type: 'image_url', image_url: { url: `data:,${SHARED}${question}` } }])],
        turn,
      ),
    }),
  ],
  [
    'messages whose cache markers move',
    (question, turn) => ({
      system: [cached(SHARED)],
      messages: history([user([turn === 0 ? cached(question) : plain(question)])], turn),
    }),
  ],
  [
    'Claude Code with reminders that change',
    (question, turn) => ({
      system: SHARED,
      messages: history(
        [
          user([
            plain(`<system-reminder>\nTurn ${turn}\n</system-reminder>\n`),
            turn === 0 ? cached(`${question}<system-reminder>Be brief.</system-reminder>`) : plain(question),
          ]),
        ],
        turn,
      ),
    }),
  ],
  [
    'responses with a text',
    (question, turn) => ({ instructions: SHARED, input: turn === 0 ? question : history([user(question)], turn) }),
  ],
  [
    'Codex with its context before the question',
    (question, turn) => ({
      instructions: SHARED,
      input: history(
        [
          { type: 'message', role: 'developer', content: [input(SHARED)] },
          {
            type: 'message',
            role: 'user',
            content: [
              input(`# AGENTS.md instructions for /project\n\n<INSTRUCTIONS>\n${SHARED}\n</INSTRUCTIONS>`),
              input(`<environment_context>\n  <turn>${turn}</turn>\n</environment_context>`),
            ],
          },
          { type: 'message', role: 'user', content: [input(question)] },
        ],
        turn,
      ),
    }),
  ],
  [
    'a prompt with roles',
    (question, turn) => ({
      prompt: `${SHARED}\nUser: ${question}\nAssistant:${' answer\nUser: more\nAssistant:'.repeat(turn)}`,
    }),
  ],
  [
    'a prompt with roles in a list',
    (question, turn) => ({
      prompt: [`${SHARED}\nUser: ${question}\nAssistant:${' answer\nUser: more\nAssistant:'.repeat(turn)}`],
    }),
  ],
];

const candidate = (name: string, weight: number) =>
  ({ upstream: { name }, model: 'm', weight, repeatSent: false }) as unknown as Candidate;
const firstOf = (candidates: readonly Candidate[], stickyKey: string): string =>
  orderCandidates(candidates, {
    ranking: null,
    stickyKey,
    shareOf: () => 1,
    statusOf: () => 'ready',
    isBlocked: () => false,
    random: () => 0,
  })[0]!.upstream.name;

describe('the conversation of a request', () => {
  test.each(CLIENTS)('%s: each conversation has one key, from its first turn on', (_, request) => {
    const keys = Array.from({ length: 40 }, (_one, conversation) => {
      const ofTurns = Array.from({ length: 5 }, (_turn, turn) =>
        conversationKey(request(`question ${conversation}`, turn)),
      );
      expect(new Set(ofTurns).size).toBe(1);
      return ofTurns[0];
    });
    expect(new Set(keys).size).toBe(40);
  });

  test.each([[[1, 1]], [[3, 1]], [[1, 1, 1]], [[5, 3, 2]], [[4, 2, 1, 1]], [[1, 1, 1, 1, 1, 1, 1, 1]]])(
    '1,000 conversations are spread over upstreams with the weights %j',
    (weights) => {
      const upstreams = weights.map((weight, at) => candidate(`upstream-${at}`, weight));
      const total = weights.reduce((sum, weight) => sum + weight);
      for (const [, request] of [CLIENTS[0]!, CLIENTS[10]!]) {
        const counts = new Map<string, number>();
        for (let conversation = 0; conversation < 1_000; conversation++) {
          const name = firstOf(upstreams, conversationKey(request(`question ${conversation}`, 0))!);
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        for (const [at, { upstream }] of upstreams.entries())
          expect(Math.abs((counts.get(upstream.name) ?? 0) / 1_000 - weights[at]! / total)).toBeLessThan(0.05);
      }
    },
  );

  test.each<[JsonObject, Record<string, string>]>([
    [{ prompt_cache_key: 'x' }, {}],
    [{ conversation: 'conv_1' }, {}],
    [{ conversation: { id: 'conv_1' } }, {}],
    [{ session_id: 'session-1' }, {}],
    [{ metadata: { user_id: 'session-1' } }, {}],
    [{ metadata: { session_id: 'session-1' } }, {}],
    [{}, { 'x-claude-code-session-id': 'session-1' }],
    [{}, { session_id: 'session-1' }],
    [{}, { 'session-id': 'session-1' }],
    [{}, { 'x-session-affinity': 'session-1' }],
  ])("a conversation is identified by the client's own name: %j %j", (named, headers) => {
    const keyOf = (question: string) => conversationKey({ ...named, messages: [user(question)] }, headers);
    expect(keyOf('a')).toBe(keyOf('b'));
    expect(keyOf('a')).not.toBe(conversationKey({ messages: [user('a')] }));
    expect(keyOf('a')).toMatch(/^name /);
  });

  test('an empty name does not identify a conversation', () => {
    const headers = { 'x-session-id': '', 'session-id': '' };
    expect(conversationKey({ messages: [user('a')] }, headers)).toBe(conversationKey({ messages: [user('a')] }));
    expect(conversationKey({ messages: [user('a')] }, { ...headers, 'thread-id': 't' })).toBe('name t');
  });

  test('prompts of token IDs that begin alike have different conversation keys', () => {
    for (const prompts of [
      [
        [1, 2],
        [1, 3],
      ],
      [[[1, 2]], [[1, 3]]],
    ])
      expect(new Set(prompts.map((prompt) => conversationKey({ prompt }))).size).toBe(2);
  });

  test('a question that consists of context, or stands after an answer, identifies its conversation', () => {
    const tagged = (text: string) => ({ messages: [user(`<user_info>${text}</user_info>`)] });
    expect(conversationKey(tagged('a'))).not.toBe(conversationKey(tagged('b')));
    const later = (text: string) => ({ messages: [user(`<user_info>x</user_info>`), assistant('Hello'), user(text)] });
    expect(conversationKey(later('a'))).not.toBe(conversationKey(later('b')));
    const unclosed = (text: string) => ({ messages: [user(`<user_info>${text}`)] });
    expect(conversationKey(unclosed('a'))).not.toBe(conversationKey(unclosed('b')));
  });

  test.each([
    null,
    {},
    { model: 'x' },
    { messages: null, metadata: null },
    { input: [[[]]] },
    { metadata: 'x', prompt: 7 },
    { prompt_cache_key: 5, input: { a: 1 } },
    { messages: [{ role: 'system', content: 'x' }] },
  ])('%j has no conversation key', (json) => {
    expect(conversationKey(json)).toBeNull();
  });

  test.each([
    { messages: [1, null] },
    { conversation: [], input: 'x' },
    { prompt: [[1, 2, 3]] },
    { input: ['a', 'b'] },
  ])('an unusual body has a conversation key: %j', (json) => expect(conversationKey(json)).toMatch(/^text /));

  test.each(['[', '{"a":'])('a body that is nested 100,000 deep with %s is read', (open) => {
    const deep = JSON.parse(open.repeat(100_000) + '1' + (open === '[' ? ']' : '}').repeat(100_000)) as unknown;
    expect(conversationKey({ messages: [user(deep)] })).toBeNull();
    expect(conversationKey({ messages: [user(['question', deep])] })).toMatch(/^text /);
  });

  test('the conversation key of a body of 20 MB costs less than reading the body', () => {
    const image = 'x'.repeat(10_000_000);
    const body = { messages: [user([{ image }, plain(image)])] };
    expect(conversationKey(body)!.length).toBeLessThan(100);
    expect(cpuTimeOf(() => conversationKey(body))).toBeLessThan(cpuTimeOf(() => JSON.stringify(body)));
  });
});
