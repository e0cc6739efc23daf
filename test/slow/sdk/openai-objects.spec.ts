import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { PROFILES, startSandboxGateway, type SandboxGateway } from '../../support/sandbox-gateway.js';

describe.each(PROFILES)('OpenAI SDK objects with the profile %s', (profile) => {
  let sandbox: SandboxGateway;
  let openai: OpenAI;

  beforeAll(async () => {
    sandbox = await startSandboxGateway({ GW_PROFILE: profile });
    openai = new OpenAI({ baseURL: sandbox.url, apiKey: sandbox.key.key });
  });
  afterAll(() => sandbox?.stop());

  async function idsOf(list: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    return ids;
  }

  const upload = async (bytes: Buffer) =>
    openai.files.create({ file: await toFile(bytes, 'words.jsonl'), purpose: 'assistants' });

  test('a file can be uploaded, listed, read, downloaded byte for byte and deleted', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 31) % 251));
    const { id } = await upload(bytes);
    expect(await idsOf(openai.files.list({ purpose: 'assistants' }))).toContain(id);
    expect(await openai.files.retrieve(id)).toMatchObject({ filename: 'words.jsonl', bytes: bytes.length });
    const content = Buffer.from(await (await openai.files.content(id)).arrayBuffer());
    expect(content.equals(bytes)).toBe(true);
    expect(await openai.files.delete(id)).toMatchObject({ id, deleted: true });
    await expect(openai.files.retrieve(id)).rejects.toMatchObject({ status: profile === 'current' ? 404 : 502 });
  });

  test('an assistant can be created, changed, listed and deleted', async () => {
    const { id } = await openai.beta.assistants.create({ model: 'gpt-4o-mini', name: 'Helper' });
    expect(sandbox.seen.at(-1)?.header('openai-beta')).toBe('assistants=v2');
    expect((await openai.beta.assistants.retrieve(id)).name).toBe('Helper');
    expect((await openai.beta.assistants.update(id, { name: 'Aide' })).name).toBe('Aide');
    expect(await idsOf(openai.beta.assistants.list())).toContain(id);
    expect((await openai.beta.assistants.delete(id)).deleted).toBe(true);
  });

  test('a thread with messages and runs can be created, read and deleted', async () => {
    const { threads } = openai.beta;
    const assistant = await openai.beta.assistants.create({ model: 'gpt-4o-mini' });
    const thread = await threads.create();
    expect((await threads.retrieve(thread.id)).id).toBe(thread.id);
    const message = await threads.messages.create(thread.id, { role: 'user', content: 'Hello' });
    expect((await threads.messages.retrieve(message.id, { thread_id: thread.id })).role).toBe('user');
    const run = await threads.runs.createAndPoll(thread.id, { assistant_id: assistant.id }, { pollIntervalMs: 20 });
    expect(run.status).toBe('completed');
    expect(await idsOf(threads.runs.list(thread.id))).toEqual([run.id]);
    expect((await idsOf(threads.runs.steps.list(run.id, { thread_id: thread.id }))).length).toBeGreaterThan(0);
    expect(await idsOf(threads.messages.list(thread.id))).toContain(message.id);
    expect((await threads.delete(thread.id)).deleted).toBe(true);
  });

  test('a run can be streamed', async () => {
    const { threads } = openai.beta;
    const assistant = await openai.beta.assistants.create({ model: 'gpt-4o-mini' });
    const thread = await threads.create({ messages: [{ role: 'user', content: 'Hello' }] });
    const events: string[] = [];
    for await (const { event } of threads.runs.stream(thread.id, { assistant_id: assistant.id })) events.push(event);
    expect(events).toContain('thread.run.completed');
  });

  test('a run can be canceled', async () => {
    const { threads } = openai.beta;
    const assistant = await openai.beta.assistants.create({ model: 'gpt-4o-mini' });
    const thread = await threads.create({ messages: [{ role: 'user', content: 'Hello' }] });
    const run = await threads.runs.create(thread.id, { assistant_id: assistant.id });
    expect((await threads.runs.cancel(run.id, { thread_id: thread.id })).status).toBe('cancelled');
  });

  test('vector stores and their files can be created, changed, listed and deleted', async () => {
    const { vectorStores } = openai;
    const file = await upload(Buffer.from('some words'));
    const store = await vectorStores.create({ name: 'Words' });
    expect((await vectorStores.retrieve(store.id)).name).toBe('Words');
    expect((await vectorStores.update(store.id, { name: 'More' })).name).toBe('More');
    expect(await idsOf(vectorStores.list())).toContain(store.id);
    const attached = await vectorStores.files.createAndPoll(store.id, { file_id: file.id }, { pollIntervalMs: 20 });
    expect(attached.status).toBe('completed');
    expect(await idsOf(vectorStores.files.list(store.id))).toEqual([file.id]);
    expect((await vectorStores.files.delete(file.id, { vector_store_id: store.id })).deleted).toBe(true);
    expect((await vectorStores.delete(store.id)).deleted).toBe(true);
  });
});
