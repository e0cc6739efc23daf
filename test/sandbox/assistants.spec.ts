import { describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();

async function started(): Promise<{ client: OpenAI; assistant: string; thread: string }> {
  const client = openaiFor(sandbox);
  const assistant = await client.beta.assistants.create({ model: 'gpt-4o', instructions: 'Be brief.' });
  const thread = await client.beta.threads.create({ messages: [{ role: 'user', content: 'How warm is it?' }] });

  return { client, assistant: assistant.id, thread: thread.id };
}

describe('assistants through the OpenAI SDK', () => {
  test('an assistant can be created, read, changed, listed and deleted', async () => {
    const client = openaiFor(sandbox);
    const made = await client.beta.assistants.create({
      model: 'gpt-4o',
      name: 'One',
      tools: [{ type: 'file_search' }],
      metadata: { a: 'b' },
    });
    const other = await client.beta.assistants.create({ model: 'gpt-4o', name: 'Two' });
    const changed = await client.beta.assistants.update(made.id, { name: null, temperature: 0 });

    expect(made).toMatchObject({ object: 'assistant', name: 'One', instructions: null, metadata: { a: 'b' } });
    expect(changed).toEqual({ ...made, name: null, temperature: 0 });
    expect(await client.beta.assistants.retrieve(made.id)).toEqual(changed);
    expect((await client.beta.assistants.list({ limit: 2 })).data.map(({ id }) => id)).toEqual([other.id, made.id]);
    expect(await client.beta.assistants.delete(made.id)).toMatchObject({ id: made.id, deleted: true });
    await expect(client.beta.assistants.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.beta.assistants.create({ model: 'tts-1' })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});

describe('threads through the OpenAI SDK', () => {
  test('a thread can be created, read and listed, and is deleted with its messages', async () => {
    const { client, thread } = await started();
    const empty = await client.beta.threads.create();
    const [message] = (await client.beta.threads.messages.list(thread)).data;
    const listed = await sandbox.get('/v1/threads?limit=1');

    expect(await client.beta.threads.retrieve(thread)).toMatchObject({ id: thread, object: 'thread' });
    expect((await client.beta.threads.messages.list(empty.id)).data).toEqual([]);
    expect(JSON.parse(listed.text)).toMatchObject({ first_id: empty.id, last_id: empty.id, has_more: true });
    expect(await client.beta.threads.delete(thread)).toMatchObject({ id: thread, deleted: true });
    await expect(client.beta.threads.retrieve(thread)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(
      client.beta.threads.messages.retrieve(message?.id ?? '', { thread_id: thread }),
    ).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('a thread keeps its messages in order and apart from other threads', async () => {
    const { client, thread } = await started();
    const added = await client.beta.threads.messages.create(thread, {
      role: 'user',
      content: [
        { type: 'text', text: 'And there?' },
        { type: 'image_url', image_url: { url: 'https://example.com/x.png' } },
      ],
    });
    const list = await client.beta.threads.messages.list(thread, { order: 'asc' });
    const other = await client.beta.threads.create();

    expect(added.content).toEqual([
      { type: 'text', text: { value: 'And there?', annotations: [] } },
      { type: 'image_url', image_url: { url: 'https://example.com/x.png' } },
    ]);
    expect(list.data.map(({ id }) => id).at(-1)).toBe(added.id);
    expect(await client.beta.threads.messages.retrieve(added.id, { thread_id: thread })).toEqual(added);
    await expect(client.beta.threads.messages.retrieve(added.id, { thread_id: other.id })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    await expect(
      client.beta.threads.messages.create(thread, { role: 'system' as 'user', content: 'x' }),
    ).rejects.toMatchObject({ status: 400, param: 'role' });
  });
});

describe('runs through the OpenAI SDK', () => {
  test('a run is completed when it is first read, and adds one message', async () => {
    const { client, assistant, thread } = await started();
    const made = await client.beta.threads.runs.create(thread, { assistant_id: assistant });

    expect(made).toMatchObject({ status: 'queued', instructions: 'Be brief.', model: 'gpt-4o', usage: null });
    expect((await client.beta.threads.messages.list(thread)).data).toHaveLength(1);

    const read = await client.beta.threads.runs.retrieve(made.id, { thread_id: thread });
    const again = await client.beta.threads.runs.retrieve(made.id, { thread_id: thread });
    const messages = await client.beta.threads.messages.list(thread, { run_id: made.id });
    const [text] = messages.data[0]?.content ?? [];

    expect(read.status).toBe('completed');
    expect(read.usage?.completion_tokens).toBeGreaterThan(10);
    expect(again).toEqual(read);
    expect(messages.data).toMatchObject([{ role: 'assistant', assistant_id: assistant, run_id: made.id }]);
    expect(text?.type === 'text' ? text.text.value : '').toContain('How warm is it?');
  });

  test('a run lists its steps and appears in the list of runs', async () => {
    const { client, assistant, thread } = await started();
    const run = await client.beta.threads.runs.createAndPoll(thread, { assistant_id: assistant });
    const steps = await client.beta.threads.runs.steps.list(run.id, { thread_id: thread });
    const [message] = (await client.beta.threads.messages.list(thread)).data;

    expect(steps.data).toMatchObject([
      {
        object: 'thread.run.step',
        run_id: run.id,
        step_details: { type: 'message_creation', message_creation: { message_id: message?.id } },
      },
    ]);
    expect((await client.beta.threads.runs.list(thread)).data).toEqual([run]);
  });

  test('only a waiting run can be canceled', async () => {
    const { client, assistant, thread } = await started();
    const waiting = await client.beta.threads.runs.create(thread, { assistant_id: assistant });
    const cancelled = await client.beta.threads.runs.cancel(waiting.id, { thread_id: thread });
    const run = await client.beta.threads.runs.createAndPoll(thread, { assistant_id: assistant });

    expect(cancelled.status).toBe('cancelled');
    expect(await client.beta.threads.runs.retrieve(waiting.id, { thread_id: thread })).toEqual(cancelled);
    expect((await client.beta.threads.runs.steps.list(waiting.id, { thread_id: thread })).data).toEqual([]);
    await expect(client.beta.threads.runs.cancel(run.id, { thread_id: thread })).rejects.toMatchObject({ status: 400 });
  });

  test('a streamed run ends with the message that it adds to the thread', async () => {
    const { client, assistant, thread } = await started();
    const stream = client.beta.threads.runs.stream(thread, { assistant_id: assistant });
    const [message] = await stream.finalMessages();
    const run = await stream.finalRun();

    expect(run.status).toBe('completed');
    expect((await client.beta.threads.messages.list(thread)).data[0]).toMatchObject({
      id: message?.id,
      content: message?.content,
    });
  });

  test('a run with an unknown assistant, thread or run ID returns a 404', async () => {
    const { client, assistant, thread } = await started();
    const runs = client.beta.threads.runs;

    await expect(runs.create(thread, { assistant_id: 'asst_0' })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(runs.create('thread_0', { assistant_id: assistant })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(runs.retrieve('run_0', { thread_id: thread })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});
