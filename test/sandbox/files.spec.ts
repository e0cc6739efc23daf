import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import OpenAI, { toFile } from 'openai';

import { openaiFor, useSandbox } from '../support/sandbox-client.js';

const sandbox = useSandbox();
const upload = async (
  bytes: Buffer,
  name: string,
  purpose: OpenAI.FilePurpose = 'assistants',
): Promise<OpenAI.FileObject> => openaiFor(sandbox).files.create({ file: await toFile(bytes, name), purpose });

describe('files through the OpenAI SDK', () => {
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['line breaks and dashes', Buffer.from('\r\n--\r\n\r\n--x--\r\n')],
    ['random bytes', randomBytes(300_000)],
  ])('an uploaded file is downloaded byte for byte: %s', async (_what, bytes) => {
    const file = await upload(bytes, 'data.bin');
    const content = await openaiFor(sandbox).files.content(file.id);

    expect(file).toMatchObject({ object: 'file', bytes: bytes.length, filename: 'data.bin', purpose: 'assistants' });
    expect(content.headers.get('content-disposition')).toBe('attachment; filename="data.bin"');
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('a filename with non-ASCII characters and quotes is kept', async () => {
    const file = await upload(Buffer.from('x'), 'größe "1".txt');
    const content = await openaiFor(sandbox).files.content(file.id);

    expect(file.filename).toBe('größe "1".txt');
    expect(content.headers.get('content-disposition')).toBe(
      `attachment; filename="gr__e _1_.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%221%22.txt`,
    );
  });

  test('files are listed by purpose and in pages, and a second upload is a second file', async () => {
    const client = openaiFor(sandbox);
    const first = await upload(Buffer.from('x'), 'x.jsonl', 'batch');
    const second = await upload(Buffer.from('x'), 'x.jsonl', 'batch');
    const newestFirst = await client.files.list({ purpose: 'batch' });
    const oldestFirst = await client.files.list({ purpose: 'batch', order: 'asc', limit: 1 });
    const ids: string[] = [];

    for await (const file of oldestFirst) ids.push(file.id);
    expect(first.id).not.toBe(second.id);
    expect(newestFirst.data.map((file) => file.id)).toEqual([second.id, first.id]);
    expect(oldestFirst.has_more).toBe(true);
    expect(ids).toEqual([first.id, second.id]);
  });

  test('a deleted file cannot be read, downloaded or deleted again', async () => {
    const client = openaiFor(sandbox);
    const { id } = await upload(Buffer.from('x'), 'x');

    expect(await client.files.retrieve(id)).toMatchObject({ id });
    expect(await client.files.delete(id)).toEqual({ id, object: 'file', deleted: true });
    for (const gone of [client.files.retrieve(id), client.files.delete(id), client.files.content(id)]) {
      await expect(gone).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    }
  });

  test('an unknown purpose and an invalid limit are rejected with 400', async () => {
    const asked = { file: await toFile(Buffer.from('x'), 'x'), purpose: 'fun' as OpenAI.FilePurpose };

    await expect(openaiFor(sandbox).files.create(asked)).rejects.toMatchObject({ status: 400, param: 'purpose' });
    await expect(openaiFor(sandbox).files.list({ limit: 0 })).rejects.toMatchObject({ status: 400, param: 'limit' });
  });
});
