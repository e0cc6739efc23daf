import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const model = 'text-embedding-3-small';
const lengthOf = (vector: readonly number[]): number => Math.hypot(...vector);

describe('embeddings through the OpenAI SDK', () => {
  test('each input gets a unit vector that depends only on its text', async () => {
    const response = await openaiFor(sandbox).embeddings.create({ model, input: ['one', 'two', 'one'] });
    const [one, two, again] = response.data.map((entry) => entry.embedding);

    expect(response.data.map((entry) => entry.index)).toEqual([0, 1, 2]);
    expect(response.usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
    expect(one).toHaveLength(1536);
    expect(lengthOf(one ?? [])).toBeCloseTo(1, 5);
    expect(again).toEqual(one);
    expect(two).not.toEqual(one);
  });

  test('floats and base64 contain the same numbers', async () => {
    const asked = { model, input: 'one', dimensions: 64 };
    const decoded = await openaiFor(sandbox).embeddings.create(asked); // The SDK requests base64 and decodes it.
    const floats = await openaiFor(sandbox).embeddings.create({ ...asked, encoding_format: 'float' });
    const raw = JSON.parse((await sandbox.post('/v1/embeddings', { ...asked, encoding_format: 'base64' })).text);

    expect(floats.data[0]?.embedding).toHaveLength(64);
    expect(lengthOf(floats.data[0]?.embedding ?? [])).toBeCloseTo(1, 5);
    expect([...(decoded.data[0]?.embedding ?? [])]).toEqual(floats.data[0]?.embedding);
    expect(Buffer.from(raw.data[0].embedding, 'base64')).toHaveLength(64 * 4);
  });

  test('dimensions are ignored for a model with a fixed length', async () => {
    const asked = { model: 'mistral-embed', input: 'one', dimensions: 64 };

    expect((await openaiFor(sandbox).embeddings.create(asked)).data[0]?.embedding).toHaveLength(1024);
  });

  test('token IDs are accepted as one input or several', async () => {
    const one = await openaiFor(sandbox).embeddings.create({ model, input: [1, 2, 3] });
    const two = await openaiFor(sandbox).embeddings.create({ model, input: [[1, 2, 3], [4]] });

    expect(one.usage.prompt_tokens).toBe(3);
    expect(two.data).toHaveLength(2);
    expect(two.data[0]?.embedding).toEqual(one.data[0]?.embedding);
  });

  test.each<[string, object]>([
    ['a missing input', { model }],
    ['an empty list', { model, input: [] }],
    ['an empty text', { model, input: ['a', ''] }],
    ['an object', { model, input: [{}] }],
    ['more dimensions than the model has', { model, input: 'a', dimensions: 1537 }],
    ['an unknown format', { model, input: 'a', encoding_format: 'int8' }],
    ['a chat model', { model: 'gpt-4o', input: 'a' }],
  ])('embeddings are rejected for %s', async (_what, body) => {
    const rejection = openaiFor(sandbox).embeddings.create(body as OpenAI.EmbeddingCreateParams);

    await expect(rejection).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});
