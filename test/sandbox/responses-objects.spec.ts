import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const model = 'gpt-6';

describe('stored context of a response', () => {
  test('a stored prompt replaces `input` and `model`', async () => {
    const { output_text } = await openaiFor(sandbox).responses.create({ prompt: { id: 'pmpt_1', version: '2' } });

    expect(output_text).toContain('sandbox');
    await expect(openaiFor(sandbox).responses.create({ model })).rejects.toMatchObject({ status: 400, param: 'input' });
  });

  test('a response reads its conversation and extends it', async () => {
    const client = openaiFor(sandbox);
    const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'I like rivers.' }] });
    const first = await client.responses.create({ model, conversation: conversation.id });
    const items = await client.conversations.items.list(conversation.id, { order: 'asc' });

    expect(first.output_text).toContain('I like rivers.');
    expect(first.conversation).toEqual({ id: conversation.id });
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I like rivers.' }] },
      { type: 'message', role: 'assistant' },
    ]);
    await expect(client.responses.create({ model, conversation: 'conv_0' })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });

  test('a conversation can be changed, extended and deleted', async () => {
    const client = openaiFor(sandbox);
    const { id } = await client.conversations.create();
    const changed = await client.conversations.update(id, { metadata: { a: 'b' } });
    const added = await client.conversations.items.create(id, { items: [{ role: 'user', content: 'hi' }] });
    const item = added.data[0]?.id ?? '';

    expect(await client.conversations.retrieve(id)).toEqual(changed);
    expect(await client.conversations.items.retrieve(item, { conversation_id: id })).toEqual(added.data[0]);
    expect(await client.conversations.items.delete(item, { conversation_id: id })).toEqual(changed);
    expect(await client.conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
    await expect(client.conversations.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('stored responses', () => {
  test('a response lists its input items', async () => {
    const client = openaiFor(sandbox);
    const { id } = await client.responses.create({ model, input: 'What came in?' });
    const { data } = await client.responses.inputItems.list(id);

    expect(data).toMatchObject([{ type: 'message', content: [{ type: 'input_text', text: 'What came in?' }] }]);
  });

  test('a stored response streams again from a given event', async () => {
    const client = openaiFor(sandbox);
    const { id } = await client.responses.create({ model, input: 'Say it again' });
    const numbers: number[] = [];

    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: 3 })) {
      numbers.push(event.sequence_number);
    }
    expect(numbers[0]).toBe(4);
    expect(numbers.length).toBeGreaterThan(5);
  });

  test('a background response is completed when it is first read', async () => {
    const client = openaiFor(sandbox);
    const queued = await client.responses.create({ model, input: 'Later', background: true });
    const done = await client.responses.retrieve(queued.id);

    expect(queued).toMatchObject({ status: 'queued', output: [] });
    expect(done).toMatchObject({ status: 'completed', output: [{ type: 'message' }] });
    expect(await client.responses.cancel(queued.id)).toMatchObject({ status: 'completed' });
  });

  test('only a background response can be canceled', async () => {
    const client = openaiFor(sandbox);
    const queued = await client.responses.create({ model, input: 'Never', background: true });
    const plain = await client.responses.create({ model, input: 'Now' });

    expect(await client.responses.cancel(queued.id)).toMatchObject({ status: 'cancelled' });
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'cancelled' });
    await expect(client.responses.cancel(plain.id)).rejects.toMatchObject({ status: 400 });
  });
});

describe('long conversations', () => {
  test('a conversation is compacted into an item that the next request can send', async () => {
    const client = openaiFor(sandbox);
    const compacted = await client.responses.compact({ model, input: 'Remember the rivers.' });
    const input = [...compacted.output, { role: 'user' as const, content: 'Go on.' }];

    expect(compacted).toMatchObject({ object: 'response.compaction', usage: { output_tokens: 1 } });
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    expect(
      (await client.responses.create({ model, input: input as OpenAI.Responses.ResponseInput })).output_text,
    ).toContain('Go on.');
  });

  test('a compaction_trigger at the end of the input returns a compaction item', async () => {
    const input = [{ role: 'user' as const, content: 'hi' }, { type: 'compaction_trigger' as const }];
    const { output } = await openaiFor(sandbox).responses.stream({ model, input }).finalResponse();

    expect(output).toMatchObject([{ type: 'compaction', encrypted_content: expect.stringMatching(/\w/) }]);
  });

  test('the input token count equals the usage of the response', async () => {
    const client = openaiFor(sandbox);
    const asked = { model, instructions: 'Be brief.', input: 'How many tokens?' };
    const { usage } = await client.responses.create(asked);

    expect(await client.responses.inputTokens.count(asked)).toEqual({
      object: 'response.input_tokens',
      input_tokens: usage?.input_tokens,
    });
  });

  test('cached tokens are reported only for a long conversation with an assistant message', async () => {
    const client = openaiFor(sandbox);
    const cached = async (words: number, tail: OpenAI.Responses.ResponseInput): Promise<number | undefined> => {
      const first = { role: 'user' as const, content: 'word '.repeat(words) };
      const { usage } = await client.responses.create({ model, input: [first, ...tail] });

      return usage?.input_tokens_details.cached_tokens;
    };
    const goesOn = [
      { role: 'assistant' as const, content: 'Yes.' },
      { role: 'user' as const, content: 'And?' },
    ];

    expect(await cached(2_000, [])).toBe(0);
    expect(await cached(2_000, goesOn)).toBe(1_920);
    expect(await cached(500, goesOn)).toBe(0);
  });
});
