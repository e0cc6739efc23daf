import { describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const client = (): OpenAI => openaiFor(sandbox);
const textFile = (text: string, name = 'a.txt'): Promise<File> => toFile(Buffer.from(text), name);

describe('uploads', () => {
  test('an upload joins its parts into a file in the given order', async () => {
    const { uploads, files } = client();
    const made = await uploads.create({ bytes: 6, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' });
    const second = await uploads.parts.create(made.id, { data: await textFile('def') });
    const first = await uploads.parts.create(made.id, { data: await textFile('abc') });
    const done = await uploads.complete(made.id, { part_ids: [first.id, second.id] });

    expect(done).toMatchObject({ status: 'completed', file: { filename: 'a.txt', bytes: 6, purpose: 'user_data' } });
    expect(await (await files.content(done.file?.id ?? '')).text()).toBe('abcdef');
    await expect(uploads.cancel(made.id)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  test('an upload rejects parts of the wrong total length and can be canceled', async () => {
    const { uploads } = client();
    const made = await uploads.create({ bytes: 6, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' });

    await expect(uploads.complete(made.id, { part_ids: [] })).rejects.toMatchObject({ status: 400, param: 'part_ids' });
    expect(await uploads.cancel(made.id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('batches', () => {
  const line = (custom_id: string, model: string, url = '/v1/responses'): string =>
    JSON.stringify({ custom_id, method: 'POST', url, body: { model, input: 'hi' } });
  const started = async (lines: readonly string[]): Promise<OpenAI.Batch> => {
    const file = await client().files.create({ file: await textFile(lines.join('\n'), 'a.jsonl'), purpose: 'batch' });

    return client().batches.create({ input_file_id: file.id, endpoint: '/v1/responses', completion_window: '24h' });
  };

  test('a batch writes responses and errors to two files', async () => {
    const made = await started([line('good', 'gpt-6'), line('bad', 'gpt-0')]);
    const done = await client().batches.retrieve(made.id);
    const read = async (id: string | undefined): Promise<unknown> =>
      JSON.parse(await (await client().files.content(id ?? '')).text());

    expect(made.status).toBe('validating');
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 2, completed: 1, failed: 1 } });
    expect(await read(done.output_file_id)).toMatchObject({
      custom_id: 'good',
      response: { status_code: 200, body: { object: 'response' } },
    });
    expect(await read(done.error_file_id)).toMatchObject({
      custom_id: 'bad',
      response: { status_code: 404, body: { error: { code: 'model_not_found' } } },
    });
  });

  test('a batch with an invalid line fails with the number of that line', async () => {
    const { id } = await started([line('good', 'gpt-6'), line('bad', 'gpt-6', '/v1/embeddings')]);

    expect(await client().batches.retrieve(id)).toMatchObject({ status: 'failed', errors: { data: [{ line: 2 }] } });
  });

  test('a waiting batch can be canceled and is listed', async () => {
    const { id } = await started([line('one', 'gpt-6')]);

    expect(await client().batches.cancel(id)).toMatchObject({ status: 'cancelled' });
    expect((await client().batches.list({ limit: 1 })).data).toMatchObject([{ id, status: 'cancelled' }]);
  });
});

describe('containers', () => {
  test('a container keeps uploaded and copied files until it is deleted', async () => {
    const { containers, files } = client();
    const container = await containers.create({ name: 'One' });
    const stored = await files.create({ file: await textFile('copied', 'b.txt'), purpose: 'user_data' });
    const uploaded = await containers.files.create(container.id, { file: await textFile('uploaded') });
    const copied = await containers.files.create(container.id, { file_id: stored.id });
    const at = { container_id: container.id };

    expect(uploaded).toMatchObject({ object: 'container.file', path: '/mnt/data/a.txt', bytes: 8, ...at });
    expect(await containers.files.retrieve(uploaded.id, at)).toEqual(uploaded);
    expect(await (await containers.files.content.retrieve(copied.id, at)).text()).toBe('copied');
    expect((await containers.files.list(container.id)).data.map(({ id }) => id)).toEqual([copied.id, uploaded.id]);
    await containers.files.delete(copied.id, at);
    expect((await containers.list()).data.map(({ id }) => id)).toEqual([container.id]);
    await containers.delete(container.id);
    await expect(containers.files.retrieve(uploaded.id, at)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('videos', () => {
  test('a video is completed when it is first read, and can be downloaded, edited and deleted', async () => {
    const { videos } = client();
    const made = await videos.create({ prompt: 'A river', model: 'sora-2', seconds: '8' });
    const done = await videos.retrieve(made.id);
    const remix = await videos.remix(made.id, { prompt: 'A wide river' });
    const edit = await videos.edit({ prompt: 'A blue river', video: { id: made.id } });
    const longer = await videos.extend({ prompt: 'On and on', seconds: '4', video: { id: made.id } });
    const content = await videos.downloadContent(made.id);

    expect(made).toMatchObject({ object: 'video', status: 'queued', progress: 0, seconds: '8', prompt: 'A river' });
    expect(done).toMatchObject({ status: 'completed', progress: 100 });
    expect(content.headers.get('content-type')).toBe('video/mp4');
    expect((await content.text()).slice(4, 8)).toBe('ftyp');
    expect(remix).toMatchObject({ remixed_from_video_id: made.id, seconds: '8' });
    expect([edit, longer]).toMatchObject([{ remixed_from_video_id: made.id }, { remixed_from_video_id: made.id }]);
    expect((await videos.list()).data).toHaveLength(4);
    expect(await videos.delete(made.id)).toEqual({ id: made.id, object: 'video.deleted', deleted: true });
    await expect(videos.create({ prompt: 'x', model: 'gpt-6' })).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  test('a video character can be created and read', async () => {
    const { videos } = client();
    const made = await videos.createCharacter({ name: 'Ann', video: await textFile('x', 'x.mp4') });

    expect(await videos.getCharacter(made.id ?? '')).toEqual(made);
    expect(made.name).toBe('Ann');
  });
});

describe('evals', () => {
  const asked: OpenAI.EvalCreateParams = {
    name: 'One',
    data_source_config: { type: 'custom', item_schema: { type: 'object' } },
    testing_criteria: [{ type: 'string_check', name: 'same', input: 'a', reference: 'a', operation: 'eq' }],
  };

  test('a run of an eval completes without results', async () => {
    const { evals } = client();
    const made = await evals.create(asked);
    const source = { type: 'file_content' as const, content: [{ item: {} }] };
    const run = await evals.runs.create(made.id, { data_source: { type: 'jsonl', source } });
    const at = { eval_id: made.id };

    expect(made).toMatchObject({ object: 'eval', name: 'One', data_source_config: { schema: { type: 'object' } } });
    expect(await evals.update(made.id, { name: 'Two' })).toEqual({ ...made, name: 'Two' });
    expect(run).toMatchObject({ object: 'eval.run', status: 'queued', eval_id: made.id });
    expect(await evals.runs.retrieve(run.id, at)).toMatchObject({ status: 'completed', result_counts: { total: 0 } });
    expect((await evals.runs.outputItems.list(run.id, at)).data).toEqual([]);
    await expect(evals.runs.cancel(run.id, at)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    expect(await evals.runs.delete(run.id, at)).toMatchObject({ deleted: true, run_id: run.id });
    expect(await evals.delete(made.id)).toMatchObject({ deleted: true, eval_id: made.id });
    await expect(evals.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe('fine-tuning', () => {
  test('a fine-tuning job creates a usable model', async () => {
    const { fineTuning, chat } = client();
    const made = await fineTuning.jobs.create({
      model: 'gpt-4o-mini-2024-07-18',
      training_file: 'file-1',
      suffix: 'x',
    });
    const done = await fineTuning.jobs.retrieve(made.id);
    const model = done.fine_tuned_model ?? '';

    expect(made).toMatchObject({ object: 'fine_tuning.job', status: 'queued', fine_tuned_model: null });
    expect(done).toMatchObject({ status: 'succeeded', fine_tuned_model: expect.stringMatching(/^ft:gpt-4o-mini/) });
    expect((await fineTuning.jobs.listEvents(made.id)).data).toMatchObject([{ object: 'fine_tuning.job.event' }]);
    expect((await fineTuning.jobs.checkpoints.list(made.id)).data).toEqual([]);
    expect(await chat.completions.create({ model, messages: [{ role: 'user', content: 'hi' }] })).toMatchObject({
      model,
    });
  });

  test('a waiting fine-tuning job can be paused, resumed and canceled', async () => {
    const { jobs } = client().fineTuning;
    const { id } = await jobs.create({ model: 'gpt-4o-mini', training_file: 'file-1' });

    expect(await jobs.pause(id)).toMatchObject({ status: 'paused' });
    expect(await jobs.resume(id)).toMatchObject({ status: 'queued' });
    expect(await jobs.cancel(id)).toMatchObject({ status: 'cancelled' });
    expect((await jobs.list({ limit: 1 })).data).toMatchObject([{ id, status: 'cancelled' }]);
  });

  test('checkpoint permissions and graders are supported', async () => {
    const { checkpoints, alpha } = client().withOptions({ adminAPIKey: 'any' }).fineTuning;
    const checkpoint = 'ft:gpt-4o-mini:sandbox:x:1';
    const grader = {
      type: 'string_check' as const,
      name: 'same',
      input: 'a',
      reference: 'a',
      operation: 'eq' as const,
    };
    const made = await checkpoints.permissions.create(checkpoint, { project_ids: ['proj_1'] });
    const [permission] = made.data;
    const at = { fine_tuned_model_checkpoint: checkpoint };

    expect(permission).toMatchObject({ object: 'checkpoint.permission', project_id: 'proj_1' });
    expect((await checkpoints.permissions.list(checkpoint, { order: 'ascending' })).data).toEqual([permission]);
    expect(await checkpoints.permissions.delete(permission?.id ?? '', at)).toMatchObject({ deleted: true });
    expect(await alpha.graders.validate({ grader })).toEqual({ grader });
    expect(await alpha.graders.run({ grader, model_sample: 'a' })).toMatchObject({ reward: 1 });
  });
});

describe('skills', () => {
  test('a skill and the content of its versions can be read, changed and deleted', async () => {
    const { skills } = client();
    const files = await textFile('---\nname: rivers\ndescription: About rivers\n---\n', 'SKILL.md');
    const made = await skills.create({ files });
    const second = await skills.versions.create(made.id, { files, default: true });
    const at = { skill_id: made.id };

    expect(made).toMatchObject({ object: 'skill', name: 'rivers', description: 'About rivers', default_version: '1' });
    expect(await skills.retrieve(made.id)).toMatchObject({ default_version: '2', latest_version: '2' });
    expect(await skills.versions.retrieve('2', at)).toEqual(second);
    expect(await (await skills.versions.content.retrieve('2', at)).text()).toContain('name: rivers');
    expect(await (await skills.content.retrieve(made.id)).text()).toContain('name: rivers');
    expect(await skills.update(made.id, { default_version: '1' })).toMatchObject({ default_version: '1' });
    expect((await skills.versions.list(made.id)).data.map(({ version }) => version)).toEqual(['2', '1']);
    expect(await skills.versions.delete('2', at)).toMatchObject({ deleted: true, version: '2' });
    expect((await skills.list()).data).toHaveLength(1);
    expect(await skills.delete(made.id)).toMatchObject({ deleted: true });
  });
});

describe('vector stores', () => {
  test('a vector store search finds the files of a batch by their words', async () => {
    const { vectorStores, files } = client();
    const river = await files.create({ file: await textFile('The river is long.'), purpose: 'assistants' });
    const hill = await files.create({ file: await textFile('The hill is high.'), purpose: 'assistants' });
    const store = await vectorStores.create({});
    const at = { vector_store_id: store.id };
    const batch = await vectorStores.fileBatches.createAndPoll(store.id, { file_ids: [river.id, hill.id] });
    const found = await vectorStores.search(store.id, { query: 'river', max_num_results: 5 });

    expect(batch).toMatchObject({ status: 'completed', file_counts: { completed: 2, total: 2 } });
    expect((await vectorStores.fileBatches.listFiles(batch.id, at)).data).toHaveLength(2);
    expect(await vectorStores.fileBatches.cancel(batch.id, at)).toMatchObject({ id: batch.id });
    expect(found.data).toMatchObject([
      { file_id: river.id, score: 1, content: [{ type: 'text', text: 'The river is long.' }] },
    ]);
    expect(await vectorStores.files.update(hill.id, { ...at, attributes: { kind: 'hill' } })).toMatchObject({
      attributes: { kind: 'hill' },
    });
    expect((await vectorStores.files.content(hill.id, at)).data).toEqual([{ type: 'text', text: 'The hill is high.' }]);
  });
});

describe('threads', () => {
  test('a thread, its messages and its runs can be changed', async () => {
    const { threads, assistants } = client().beta;
    const thread = await threads.create({ messages: [{ role: 'user', content: 'hi' }] });
    const [message] = (await threads.messages.list(thread.id)).data;
    const at = { thread_id: thread.id };
    const id = message?.id ?? '';
    const assistant = await assistants.create({ model: 'gpt-6' });
    const run = await threads.createAndRunPoll({
      assistant_id: assistant.id,
      thread: { messages: [{ role: 'user', content: 'hi' }] },
    });
    const [step] = (await threads.runs.steps.list(run.id, { thread_id: run.thread_id })).data;

    expect(await threads.update(thread.id, { metadata: { a: 'b' } })).toEqual({ ...thread, metadata: { a: 'b' } });
    expect(await threads.messages.update(id, { ...at, metadata: { c: 'd' } })).toMatchObject({ metadata: { c: 'd' } });
    expect(await threads.messages.delete(id, at)).toMatchObject({ deleted: true });
    expect(run.status).toBe('completed');
    expect(await threads.runs.steps.retrieve(step?.id ?? '', { thread_id: run.thread_id, run_id: run.id })).toEqual(
      step,
    );
    expect(await threads.runs.update(run.id, { thread_id: run.thread_id, metadata: { e: 'f' } })).toMatchObject({
      metadata: { e: 'f' },
    });
    await expect(
      threads.runs.submitToolOutputs(run.id, { thread_id: run.thread_id, tool_outputs: [] }),
    ).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});
