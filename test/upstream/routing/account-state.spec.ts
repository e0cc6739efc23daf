import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../sandbox/src/scripted/scripted-provider.js';
import type { Key } from '../../support/gateway.js';
import { errorIn } from '../../support/responses.js';
import { RoutedGateway } from './routed-gateway.js';

type Item = Readonly<Record<string, unknown>>;
interface Turn {
  readonly output?: readonly Item[];
  readonly content?: readonly Item[];
}

const CONVERSATIONS = 8;
let count = 0;

const event = (data: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const refuses = (message: string) => ({ status: 400, body: { error: { message, type: 'invalid_request_error' } } });
const isForeign = (value: unknown, name: string) =>
  [...JSON.stringify(value).matchAll(/of-(\w+)-/g)].some(([, owner]) => owner !== name);

/** Rejects items of other accounts, as the provider does. */
const responsesOf =
  (name: string): Script =>
  (request, answer) => {
    const json = request.json();
    if (isForeign(json['input'], name)) return refuses('The encrypted content could not be verified.');
    const id = `of-${name}-${++count}`;
    const output = [
      { type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: `gAAAA-${id}` },
      { type: 'message', id: `msg_${id}`, role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
    ];
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const response = { id: `resp_${id}`, object: 'response', model: 'gpt-5', status: 'completed', output, usage };
    if (json['stream'] !== true) return { body: response };
    const events = [
      event({ type: 'response.created', response: { ...response, output: [] } }),
      ...output.map((item) => event({ type: 'response.output_item.done', item })),
    ];
    const headers = { 'content-type': 'text/event-stream' };
    if (json['instructions'] !== 'never end')
      return { headers, chunks: [...events, event({ type: 'response.completed', response })] };
    answer.writeHead(200, headers).write(events.join(''));
    return undefined;
  };

const messagesOf =
  (name: string): Script =>
  (request) => {
    if (isForeign(request.json()['messages'], name)) return refuses('Invalid `signature` in `thinking` block');
    return {
      body: {
        id: `msg_${++count}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-haiku-4-5',
        content: [
          { type: 'thinking', thinking: 'Hm', signature: `of-${name}-${count}` },
          { type: 'text', text: 'Hello' },
        ],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    };
  };

describe('state that belongs to an account', () => {
  let routed: RoutedGateway;
  let key: Key;
  const models = ['gpt-5', 'claude-haiku-4-5'];
  beforeAll(async () => {
    routed = await RoutedGateway.start({
      upstreams: ['one', 'two'].map((name) => ({ name, apis: ['openai', 'anthropic'], models })),
      routes: [{ models: '*', upstreams: ['one', 'two'].map((name) => ({ name, weight: 1 })) }],
    });
    key = await routed.gateway.createKey({ rpm_limit: 10_000 });
  });
  beforeEach(() => {
    routed.reset();
    for (const name of ['one', 'two']) {
      routed.provider(name).on('POST', '/v1/responses', responsesOf(name));
      routed.provider(name).on('POST', '/v1/messages', messagesOf(name));
    }
  });
  afterEach(() => routed.idle());
  afterAll(() => routed.stop());

  const respond = (input: readonly unknown[], given: object = {}) =>
    routed.gateway.call('POST', '/v1/responses', { key, body: { model: 'gpt-5', store: false, input, ...given } });
  const user = (content: string) => ({ role: 'user', content });
  const outputOf = (text: string, isStream: boolean): readonly Item[] => {
    if (!isStream) return (JSON.parse(text) as Turn).output!;
    const last = text.split('\n').findLast((line) => line.startsWith('data: '))!;
    return (JSON.parse(last.slice('data: '.length)) as { response: Turn }).response.output!;
  };

  test.each([
    ['with IDs', false, (item: Item) => item],
    ['with IDs, from a stream', true, (item: Item) => item],
    ['without IDs, from a stream', true, (item: Item) => ({ ...item, id: undefined })],
  ])('encrypted reasoning returns to its account, in items %s', async (_, stream, sent) => {
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      const first = await respond([user('question')], { stream });
      const items = outputOf(first.text, stream).map(sent);
      const second = await respond([user('question'), ...items, user('more')], { stream });
      expect([second.status, second.headers.get('x-gw-upstream')]).toEqual([200, first.headers.get('x-gw-upstream')]);
    }
  });

  test('a reference to any item of a response goes to its account', async () => {
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      const first = await respond([user('question')], { store: true });
      const last = outputOf(first.text, false).at(-1)!;
      const second = await respond([{ type: 'item_reference', id: last['id'] }, user('more')], { store: true });
      expect([second.status, second.headers.get('x-gw-upstream')]).toEqual([200, first.headers.get('x-gw-upstream')]);
    }
  });

  test('the signature of a thinking block goes to its account', async () => {
    const send = (messages: readonly unknown[]) =>
      routed.gateway.call('POST', '/v1/messages', {
        key,
        body: { model: 'claude-haiku-4-5', max_tokens: 9, messages },
      });
    for (let conversation = 0; conversation < CONVERSATIONS; conversation++) {
      const first = await send([user('question')]);
      const { content } = JSON.parse(first.text) as Turn;
      const second = await send([user('question'), { role: 'assistant', content }, user('more')]);
      expect([second.status, second.headers.get('x-gw-upstream')]).toEqual([200, first.headers.get('x-gw-upstream')]);
    }
  });

  test('the owner of items is recorded although the client has left their stream', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${routed.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-5',
        store: false,
        stream: true,
        instructions: 'never end',
        input: 'question',
      }),
      signal: leaving.signal,
    });
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('"msg_')) text += Buffer.from((await reader.read()).value).toString();
    leaving.abort();
    const [, content] = /"encrypted_content":"([^"]+)"/.exec(text)!;
    for (let turn = 0; turn < CONVERSATIONS; turn++) {
      const next = await respond([user('question'), { type: 'reasoning', summary: [], encrypted_content: content }]);
      expect([next.status, next.headers.get('x-gw-upstream')]).toEqual([200, response.headers.get('x-gw-upstream')]);
    }
  });

  test('while the account cannot be reached, the response is a 503 that names it', async () => {
    const first = await respond([user('question')]);
    const owner = first.headers.get('x-gw-upstream')!;
    await routed.provider(owner).stop();
    try {
      const second = await respond([user('question'), ...outputOf(first.text, false)]);
      expect([second.status, errorIn(second).code]).toEqual([503, 'service_unavailable']);
      expect(errorIn(second).message).toContain(`"${owner}"`);
    } finally {
      await routed.restart(owner);
    }
  });
});
