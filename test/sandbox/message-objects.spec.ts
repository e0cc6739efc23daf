import Anthropic, { toFile } from '@anthropic-ai/sdk';
import { describe, expect, test } from '@jest/globals';

import { anthropicFor, openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const params = { model: 'claude-haiku-5', max_tokens: 50, messages: [{ role: 'user' as const, content: 'hi' }] };
const requests = [
  { custom_id: 'good', params },
  { custom_id: 'bad', params: { ...params, model: 'claude-0' } },
];

describe('message batches', () => {
  test('each request of a message batch gets its own result or error', async () => {
    const { batches } = anthropicFor(sandbox).messages;
    const made = await batches.create({ requests });
    const ended = await batches.retrieve(made.id);
    const results: Anthropic.Messages.MessageBatchIndividualResponse[] = [];

    for await (const result of await batches.results(made.id)) results.push(result);
    expect(made).toMatchObject({ type: 'message_batch', processing_status: 'in_progress', results_url: null });
    expect(ended).toMatchObject({ processing_status: 'ended', request_counts: { succeeded: 1, errored: 1 } });
    expect(results).toMatchObject([
      { custom_id: 'good', result: { type: 'succeeded', message: { type: 'message', stop_reason: 'end_turn' } } },
      { custom_id: 'bad', result: { type: 'errored', error: { type: 'error', error: { type: 'not_found_error' } } } },
    ]);
  });

  test('a message batch can be canceled, listed and deleted', async () => {
    const { batches } = anthropicFor(sandbox).messages;
    const { id } = await batches.create({ requests });
    const canceling = await batches.cancel(id);

    expect(canceling.processing_status).toBe('canceling');
    expect((await batches.list({ limit: 1 })).data).toMatchObject([{ id, request_counts: { canceled: 2 } }]);
    expect(await batches.delete(id)).toEqual({ id, type: 'message_batch_deleted' });
    await expect(batches.retrieve(id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });
});

describe('Anthropic files', () => {
  test('Anthropic’s files are separate from OpenAI’s', async () => {
    const { files } = anthropicFor(sandbox);
    const file = await toFile(Buffer.from('one'), 'a.txt', { type: 'text/plain' });
    const made = await files.upload({ file });

    expect(made).toMatchObject({ type: 'file', filename: 'a.txt', mime_type: 'text/plain', size_bytes: 3 });
    expect(await files.retrieveMetadata(made.id)).toEqual(made);
    expect((await files.list()).data).toEqual([made]);
    expect(await (await files.download(made.id)).text()).toBe('one');
    expect((await openaiFor(sandbox).files.list()).data).toEqual([]);
    expect(await files.delete(made.id)).toEqual({ id: made.id, type: 'file_deleted' });
    await expect(files.retrieveMetadata(made.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });
});

describe('Anthropic skills', () => {
  test('a skill and its versions can be created, read, listed and deleted', async () => {
    const { skills } = anthropicFor(sandbox);
    const manifest = '---\nname: rivers\ndescription: About rivers\n---\n';
    const files = [await toFile(Buffer.from(manifest), 'rivers/SKILL.md')];
    const made = await skills.create({ files, display_name: 'Rivers' });
    const second = await skills.versions.create(made.id, { files });

    expect(made).toMatchObject({ type: 'skill', display_name: 'Rivers', source: { type: 'custom' } });
    expect(second).toMatchObject({ type: 'skill_version', name: 'rivers', description: 'About rivers' });
    expect(await skills.retrieve(made.id)).toMatchObject({ latest_version_id: second.id });
    expect((await skills.versions.list(made.id)).data.map(({ id }) => id)).toEqual([second.id, made.latest_version_id]);
    expect(await skills.versions.retrieve(second.id, { skill_id: made.id })).toEqual(second);
    expect(await skills.versions.delete(second.id, { skill_id: made.id })).toMatchObject({ id: second.id });
    expect((await skills.list()).data).toHaveLength(1);
    expect(await skills.delete(made.id)).toEqual({ id: made.id, type: 'skill_deleted' });
    await expect(skills.retrieve(made.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });
});
