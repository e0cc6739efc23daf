import { describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const uploaded = async (text: string): Promise<string> =>
  (await openaiFor(sandbox).files.create({ file: await toFile(Buffer.from(text), 'a.txt'), purpose: 'assistants' })).id;

describe('vector stores through the OpenAI SDK', () => {
  test('a vector store can be created, read, changed, listed and deleted', async () => {
    const client = openaiFor(sandbox);
    const made = await client.vectorStores.create({ name: 'One' });
    const changed = await client.vectorStores.update(made.id, { name: 'Two', metadata: { a: 'b' } });

    expect(made).toMatchObject({
      object: 'vector_store',
      status: 'completed',
      file_counts: { in_progress: 0, completed: 0, failed: 0, cancelled: 0, total: 0 },
    });
    expect(changed).toEqual({ ...made, name: 'Two', metadata: { a: 'b' } });
    expect(await client.vectorStores.retrieve(made.id)).toEqual(changed);
    expect((await client.vectorStores.list()).data[0]).toEqual(changed);
    expect(await client.vectorStores.delete(made.id)).toMatchObject({ id: made.id, deleted: true });
    await expect(client.vectorStores.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('uploaded files can be attached at creation or later', async () => {
    const client = openaiFor(sandbox);
    const [first, second] = [await uploaded('one'), await uploaded('three')];
    const store = await client.vectorStores.create({ file_ids: [first] });
    const attached = await client.vectorStores.files.createAndPoll(store.id, { file_id: second });

    expect(attached).toMatchObject({ id: second, object: 'vector_store.file', status: 'completed', usage_bytes: 5 });
    expect(await client.vectorStores.files.retrieve(second, { vector_store_id: store.id })).toEqual(attached);
    expect((await client.vectorStores.files.list(store.id)).data.map(({ id }) => id)).toEqual([second, first]);
    expect((await client.vectorStores.files.list(store.id, { filter: 'failed' })).data).toEqual([]);
    expect(await client.vectorStores.retrieve(store.id)).toMatchObject({ usage_bytes: 8, file_counts: { total: 2 } });
  });

  test('a detached file is not deleted', async () => {
    const client = openaiFor(sandbox);
    const file = await uploaded('one');
    const store = await client.vectorStores.create({ file_ids: [file] });

    expect(await client.vectorStores.files.delete(file, { vector_store_id: store.id })).toEqual({
      id: file,
      object: 'vector_store.file.deleted',
      deleted: true,
    });
    await expect(client.vectorStores.files.retrieve(file, { vector_store_id: store.id })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    expect((await client.files.retrieve(file)).id).toBe(file);
  });

  test('an unknown file returns a 404', async () => {
    const client = openaiFor(sandbox);
    const store = await client.vectorStores.create({});

    await expect(client.vectorStores.files.create(store.id, { file_id: 'file-0' })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });
});
