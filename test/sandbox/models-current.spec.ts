import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';

import { anthropicFor, openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();

describe('OpenAI’s model list', () => {
  test.each([
    'gpt-6',
    'gpt-6-codex',
    'gpt-5.4-nano',
    'gpt-5-mini',
    'o4-mini',
    'gemini-3-pro',
    'gpt-image-2',
    'sora-2',
    'claude-opus-4-8',
    'claude-sonnet-5',
    'claude-haiku-5',
    'text-embedding-4-large',
    'omni-moderation-latest',
    'gpt-4o-transcribe',
    'gpt-4o-mini-tts',
    'gpt-realtime',
    'grok-4',
    'qwen3-max',
    'deepseek-v3.2',
  ])('the model %s exists', async (id) => {
    expect(await openaiFor(sandbox).models.retrieve(id)).toMatchObject({ id, object: 'model' });
  });

  test('dated snapshots and fine-tuned models exist although they are not listed', async () => {
    for (const id of ['gpt-4o-2024-08-06', 'claude-opus-5-20260801', 'ft:gpt-4o-mini-2024-07-18:sandbox::1']) {
      expect(await openaiFor(sandbox).models.retrieve(id)).toMatchObject({ id });
    }
  });
});

describe('Anthropic’s model list', () => {
  test('the list contains only Anthropic’s models, in its format, newest first', async () => {
    const { data, has_more, first_id, last_id } = await anthropicFor(sandbox).models.list({ limit: 1_000 });
    const times = data.map(({ created_at }) => created_at);

    expect(data).toContainEqual(
      expect.objectContaining({
        type: 'model',
        id: 'claude-opus-4-5',
        display_name: 'Claude Opus 4.5',
        created_at: '2025-11-24T00:00:00Z',
        line: 'opus',
      }),
    );
    expect(data.every(({ id }) => id.startsWith('claude-'))).toBe(true);
    expect(times).toEqual(times.toSorted().toReversed());
    expect([has_more, first_id, last_id]).toEqual([false, data[0]?.id, data.at(-1)?.id]);
  });

  test('the list has pages in both directions', async () => {
    const { models } = anthropicFor(sandbox);
    const all = (await models.list({ limit: 1_000 })).data.map(({ id }) => id);
    const paged: string[] = [];

    for await (const { id } of models.list({ limit: 3 })) paged.push(id);
    expect(paged).toEqual(all);
    expect((await models.list({ limit: 2, before_id: all[4] })).data.map(({ id }) => id)).toEqual(all.slice(2, 4));
    await expect(models.list({ limit: 0 })).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  });

  test('a model can be read by ID, and an unknown ID gets Anthropic’s error format', async () => {
    const { models } = anthropicFor(sandbox);

    expect(await models.retrieve('claude-sonnet-5')).toMatchObject({ display_name: 'Claude Sonnet 5' });
    await expect(models.retrieve('claude-0')).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
    });
  });
});
