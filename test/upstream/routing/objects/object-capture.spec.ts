import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ObjectCapture } from '../../../../src/upstream/routing/objects/object-capture.js';
import { createScratchDatabase, type ScratchDatabase } from '../../../support/scratch-database.js';
import { connect } from '../../../support/stats-database.js';
import { OwnersProcess, rowsOf } from './owned-objects.js';

let database: ScratchDatabase;
let source: DataSource;
let a: OwnersProcess;
let prefix: string;

beforeAll(async () => {
  database = await createScratchDatabase();
  source = await connect(database.url);
});
beforeEach(() => {
  a = new OwnersProcess(source);
  prefix = `${randomUUID()}-`;
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const capture = (upstream = 'openai', expires = true) =>
  new ObjectCapture(a.owners, upstream, { expires, marks: null });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('a buffered response', () => {
  test('a buffered response is recorded before it is sent', async () => {
    await capture('azure', false).buffered(json({ id: `${prefix}a`, output_file_id: `${prefix}b` }));
    expect(await rowsOf(source, prefix)).toMatchObject([
      { id: `${prefix}a`, upstream: 'azure', expires: false },
      { id: `${prefix}b`, upstream: 'azure', expires: false },
    ]);
  });

  test('waits for nothing if it names no objects or only recorded ones', async () => {
    expect(capture().buffered(json({ object: 'list', data: [] }))).toBeNull();
    expect(capture().buffered(Buffer.from('not JSON'))).toBeNull();
    await capture().buffered(json({ id: `${prefix}a` }));
    expect(capture().buffered(json({ id: `${prefix}a` }))).toBeNull();
  });

  test('waits for an object that another response is recording', async () => {
    const first = capture().buffered(json({ id: `${prefix}a` }));
    const second = capture().buffered(json({ id: `${prefix}a` }));
    expect(second).not.toBeNull();
    await second;
    expect(await rowsOf(source, prefix)).toHaveLength(1);
    await first;
  });
});

describe('a streamed response', () => {
  const created = (id: string) => Buffer.from(`data: {"response":{"id":"${id}"}}\n\n`);
  const item = (id: string) => Buffer.from(`data: {"item":{"id":"${id}"}}\n\n`);

  test('a streamed response is recorded before its end', async () => {
    const captured = capture();
    captured.chunk(created(`${prefix}a`));
    captured.chunk(item(`${prefix}b`));
    await captured.end();
    expect(await rowsOf(source, prefix)).toHaveLength(2);
  });

  test('a streamed response is recorded while it is running, so that its end need not wait', async () => {
    const captured = capture();
    captured.chunk(created(`${prefix}a`));
    await captured.end();
    captured.chunk(item(`${prefix}b`));
    await captured.end();
    captured.chunk(Buffer.from('data: [DONE]\n\n'));
    expect(captured.end()).toBeNull();
    expect(await rowsOf(source, prefix)).toHaveLength(2);
  });

  test('waits for nothing if it names no objects', () => {
    const captured = capture();
    captured.chunk(Buffer.from('data: {"choices":[]}\n\n'));
    expect(captured.end()).toBeNull();
  });
});
