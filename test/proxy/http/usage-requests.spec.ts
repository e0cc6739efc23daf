import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Key, TestGateway } from '../../support/gateway.js';
import { LimitCalls } from '../../support/limit-calls.js';
import { untilPasses } from '../../support/poll.js';
import { startGateway } from '../../support/ready-gateway.js';
import { CHAT_USAGE, chatStream } from '../../support/scripted-upstream-responses.js';

const CHAT = '/v1/chat/completions';
const MESSAGES = [{ role: 'user', content: 'Hello' }];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.upstream.reset();
  scriptStream(gateway);
});

/** The provider reports the usage only to those who ask for it. */
function scriptStream({ upstream }: TestGateway): void {
  upstream.on('POST', CHAT, ({ body }) => {
    const { stream_options: options } = JSON.parse(body.toString()) as { stream_options?: { include_usage?: boolean } };
    const chunks = chatStream('gpt-4o-mini', options?.include_usage === true);
    return { headers: { 'content-type': 'text/event-stream' }, chunks };
  });
}

async function limitedKey(
  of: TestGateway,
  measure: string,
  fields: object = {},
): Promise<{ key: Key; used: () => Promise<unknown> }> {
  const key = await of.createKey();
  const limits = new LimitCalls(of, { scope: 'key', key_id: key.id, period: 'month', measure });
  const { id } = await limits.create({ amount: measure === 'cost' ? '100' : 1_000_000, ...fields });
  const used = async () => {
    await untilPasses(async () => expect(Number((await limits.get(id)).reserved)).toBe(0));
    return (await limits.get(id)).used;
  };
  return { key, used };
}

const sentBody = async (of = gateway) => (await of.upstream.received(0, `POST ${CHAT}`)).body.toString();

describe('a streamed chat completion under a token or cost limit', () => {
  test.each(['tokens', 'input_tokens', 'output_tokens', 'cost'])(
    'the gateway asks for the usage, and the client gets the stream that it asked for: %s',
    async (measure) => {
      const { key, used } = await limitedKey(gateway, measure);
      const response = await gateway.chat(key, { stream: true });
      expect(response.text).toBe(chatStream('gpt-4o-mini', false).join(''));
      const body = await sentBody();
      expect(JSON.parse(body)).toMatchObject({ stream_options: { include_usage: true } });
      const tokens = { tokens: 12, input_tokens: 9, output_tokens: 3, cost: '0.00000315' };
      await untilPasses(async () => expect(await used()).toBe(tokens[measure as keyof typeof tokens]));
    },
  );

  test('the gateway asks under a limit that only observes, too', async () => {
    const { key, used } = await limitedKey(gateway, 'output_tokens', { mode: 'observe' });
    await gateway.chat(key, { stream: true });
    await untilPasses(async () => expect(await used()).toBe(3));
  });

  test('the client gets the usage chunk if it asks for it itself, and its bytes are not changed', async () => {
    const { key } = await limitedKey(gateway, 'tokens');
    const body = JSON.stringify({
      stream: true,
      stream_options: { include_usage: true },
      model: 'gpt-4o-mini',
      messages: MESSAGES,
    });
    const response = await gateway.call('POST', CHAT, { key, body: JSON.parse(body) as object });
    expect(response.text).toBe(chatStream('gpt-4o-mini', true).join(''));
    expect(await sentBody()).toBe(body);
  });

  test('an emulated completion counts the reported usage, and its client gets no usage chunk', async () => {
    const { key, used } = await limitedKey(gateway, 'output_tokens');
    const body = { model: 'gpt-4o-mini', prompt: 'Hello', stream: true };
    const response = await gateway.call('POST', '/v1/completions', { key, body });
    expect(response.text).not.toContain('usage');
    await untilPasses(async () => expect(await used()).toBe(CHAT_USAGE.completion_tokens));
  });
});

describe('a body that stays unchanged', () => {
  const stream = { model: 'gpt-4o-mini', messages: MESSAGES, stream: true };

  test.each<[string, () => Promise<Key>, object]>([
    ['no limit applies', () => gateway.createKey({ monthly_token_limit: 1_000_000 }), stream],
    ['the limit counts requests', async () => (await limitedKey(gateway, 'requests')).key, stream],
    [
      'the response is not streamed',
      async () => (await limitedKey(gateway, 'tokens')).key,
      { ...stream, stream: false },
    ],
  ])('the body stays unchanged if %s', async (_, keyOf, body) => {
    await gateway.call('POST', CHAT, { key: await keyOf(), body });
    expect(await sentBody()).toBe(JSON.stringify(body));
  });
});

describe('GW_USAGE_REQUESTS=never', () => {
  let never: TestGateway;
  beforeAll(async () => {
    never = await startGateway({ GW_USAGE_REQUESTS: 'never' });
    scriptStream(never);
  });
  afterAll(() => never.stop());

  test('leaves the body unchanged, and counts the reservation of a stream without usage', async () => {
    const { key, used } = await limitedKey(never, 'output_tokens');
    const body = { model: 'gpt-4o-mini', messages: MESSAGES, stream: true, max_tokens: 700 };
    await never.call('POST', CHAT, { key, body });
    expect(await sentBody(never)).toBe(JSON.stringify(body));
    await untilPasses(async () => expect(await used()).toBe(700));
  });

  test('counts the reported usage if the client asks for it', async () => {
    const { key, used } = await limitedKey(never, 'output_tokens');
    await never.chat(key, { stream: true, stream_options: { include_usage: true } });
    await untilPasses(async () => expect(await used()).toBe(3));
  });
});
