import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { StreamObjects } from '../../../../src/upstream/routing/objects/object-capture.js';
import { OBJECT_ROUTES } from '../../../../src/upstream/routing/objects/object-routes.data.js';
import { encryptedContentId, signatureId } from '../../../../src/upstream/routing/objects/opaque-content.rules.js';

const FOLDER = new URL('../../../fixtures/streams/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, FOLDER));

function read(chunks: readonly Buffer[], marks: readonly string[] | null = null): string[] {
  const reader = new StreamObjects(marks);
  return chunks.flatMap((chunk) => [...reader.push(chunk)]);
}

/** Reads the stream whole, byte by byte, and split at every byte boundary. */
function readEverySplit(stream: Buffer, marks: readonly string[] | null = null): string[] {
  const whole = read([stream], marks);
  expect(
    read(
      [...stream].map((byte) => Buffer.from([byte])),
      marks,
    ),
  ).toEqual(whole);
  for (let at = 1; at < stream.length; at++) {
    const found = read([stream.subarray(0, at), stream.subarray(at)], marks);
    if (found.join() !== whole.join()) throw new Error(`split at ${at}: ${found.join()} instead of ${whole.join()}`);
  }
  return whole;
}

const event = (type: string, data: unknown) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
const response = (more: object = {}) => ({ id: 'resp_1', object: 'response', status: 'in_progress', ...more });

const RESPONSE = [
  event('response.created', { type: 'response.created', response: response() }),
  event('response.in_progress', { type: 'response.in_progress', response: response() }),
  event('response.output_item.added', {
    type: 'response.output_item.added',
    item: { id: 'rs_1', container_id: 'cntr_1' },
  }),
  event('response.output_item.added', { type: 'response.output_item.added', item: { id: 'msg_1' } }),
].join('');

const RUN = [
  event('thread.created', { id: 'thread_1', object: 'thread', metadata: {} }),
  event('thread.run.created', { id: 'run_1', object: 'thread.run', assistant_id: 'asst_1', thread_id: 'thread_1' }),
  event('thread.run.step.created', { id: 'step_1', object: 'thread.run.step', thread_id: 'thread_1' }),
].join('');

const CHAT = [1, 2, 3].map(() => `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk' })}\n\n`);

describe('an event stream', () => {
  test.each<[string, string, string[]]>([
    ['a response and its first item', RESPONSE, ['resp_1', 'rs_1', 'cntr_1', 'msg_1']],
    ['a response with `id` after other fields', event('', { response: { background: {}, id: 'resp_1' } }), ['resp_1']],
    [
      'a response in a conversation',
      event('', { response: response({ conversation: { id: 'conv_1' } }) }),
      ['resp_1', 'conv_1'],
    ],
    ['a run and its thread', RUN, ['thread_1', 'run_1']],
    ['a stored chat completion', CHAT.join(''), ['chatcmpl-1']],
    [
      'a container of a message',
      event('message_start', { message: { id: 'msg_1', container: { id: 'container_1' } } }),
      ['container_1'],
    ],
    ['CRLF', RUN.replaceAll('\n', '\r\n'), ['thread_1', 'run_1']],
    ['CR', RUN.replaceAll('\n', '\r'), ['thread_1', 'run_1']],
    [
      'comments and other fields',
      `: "id"{\n\n:{"response":\nid: 5\nretry: 1\n${RESPONSE}`,
      ['resp_1', 'rs_1', 'cntr_1', 'msg_1'],
    ],
    ['a byte order mark', `\ufeff${RUN}`, ['thread_1', 'run_1']],
    ['no space after the colon', RUN.replaceAll('data: ', 'data:'), ['thread_1', 'run_1']],
    ['no blank lines between events', RESPONSE.replaceAll('\n\n', '\n'), ['resp_1', 'rs_1', 'cntr_1', 'msg_1']],
    ['an event of several lines', 'data: {"response":\ndata:  {"id":\ndata: "resp_1"}\ndata: }\n\n', ['resp_1']],
    ['an event of several lines with CRLF', 'data: {"response":\r\ndata: {"id":"resp_1"}}\r\n\r\n', ['resp_1']],
    ['an escaped ID', String.raw`data: {"response":{"id":"resp\u005f1"}}`, ['resp_1']],
    [
      'text that looks like an event',
      event('', { delta: '"response":{"id":"resp_2"}', x: { response: { id: 'resp_3' } } }),
      [],
    ],
    ['implausible IDs', event('', { response: { id: 'a b' }, thread_id: 7 }), []],
    ['an ID that is cut off', 'data: {"response":{"id":"resp_1', []],
    ['an unfinished event before another one', `data: {"a":"b\n\n${RESPONSE}`, ['resp_1', 'rs_1', 'cntr_1', 'msg_1']],
  ])('with %s is read at every boundary', (_, stream, ids) => {
    expect(readEverySplit(Buffer.from(stream))).toEqual(ids);
  });

  const FIXTURES: Readonly<Record<string, string[]>> = {
    'responses.sse': ['resp_1'],
    'openai-with-usage.sse': ['chatcmpl-1'],
    'messages.sse': [],
    'comments-and-event-lines.sse': [],
  };

  test.each(readdirSync(FOLDER).filter((name) => name.endsWith('.sse')))('%s is read at every boundary', (name) => {
    const found = readEverySplit(fixture(name));
    if (FIXTURES[name] !== undefined) expect(found).toEqual(FIXTURES[name]);
  });

  test('an event stream with long instructions in its first events still yields the first item', () => {
    const response = { id: 'resp_1', instructions: 'Be brief. "quoted" '.repeat(5000), tools: [] };
    const stream = [
      event('response.created', { type: 'response.created', response }),
      event('response.in_progress', { type: 'response.in_progress', response }),
      event('response.output_item.added', { item: { id: 'rs_1' } }),
    ].join('');
    expect(read([Buffer.from(stream)])).toEqual(['resp_1', 'rs_1']);
    const bytes = Buffer.from(stream);
    for (const size of [1, 7, 4096, 5000])
      expect(
        read(
          Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
        ),
      ).toEqual(['resp_1', 'rs_1']);
  });

  test('an event stream yields no ID that the line limit truncates', () => {
    for (let length = 4000; length < 4100; length++) {
      const stream = `data: {"x":"${'x'.repeat(length)}","response":{"id":"resp_1"}}\n\n${event('', { thread_id: 'thread_1' })}`;
      expect(['thread_1', 'resp_1,thread_1']).toContain(read([Buffer.from(stream)]).join());
    }
  });

  test('an event stream is ignored after 16 KiB of events', () => {
    const delta = event('response.output_text.delta', { type: 'response.output_text.delta', delta: 'x'.repeat(80) });
    const events = (bytes: number) => delta.repeat(Math.ceil(bytes / delta.length));
    expect(read([Buffer.from(events(15_000) + RESPONSE)])).toContain('resp_1');
    expect(read([Buffer.from(events(30_000) + RESPONSE)])).toEqual([]);
  });

  test('an event stream is ignored after the last expected ID', () => {
    expect(read([Buffer.from(RUN), Buffer.from(RESPONSE)])).toEqual(['thread_1', 'run_1']);
  });
});

describe('an event stream with opaque contents', () => {
  const marksOf = (endpoint: string) => OBJECT_ROUTES.get(endpoint)!.marks!;
  const delta = event('response.output_text.delta', { type: 'response.output_text.delta', delta: 'x'.repeat(80) });
  const item = (type: string, given: object) => event(type, { type, output_index: 0, item: given });
  const CONTENT = 'gAAAA'.repeat(4_000);

  test('an event stream yields each item and its encrypted content, however long the text between them is', () => {
    const stream = [
      RESPONSE,
      delta.repeat(300),
      item('response.output_item.done', {
        id: 'rs_2',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'x'.repeat(10_000) }],
        encrypted_content: CONTENT,
      }),
      delta.repeat(300),
      item('response.output_item.added', { id: 'fc_2', type: 'function_call' }),
    ].join('');
    const expected = ['resp_1', 'rs_1', 'cntr_1', 'msg_1', 'rs_2', encryptedContentId(CONTENT), 'fc_2'];
    const bytes = Buffer.from(stream);
    for (const size of [1, 7, 4096, bytes.length])
      expect(
        read(
          Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
          marksOf('/v1/responses'),
        ),
      ).toEqual(expected);
  });

  test('an event stream yields the signatures of thinking blocks, also in parts', () => {
    const message = (type: string, data: object) => event(type, { type, ...data });
    const stream = [
      message('message_start', { message: { id: 'msg_1', container: { id: 'container_1' }, content: [] } }),
      message('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
      message('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
      message('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'first-' } }),
      message('content_block_delta', { index: 0, delta: { type: 'signature_delta', signature: 'second' } }),
      message('content_block_stop', { index: 0 }),
      message('content_block_start', { index: 1, content_block: { type: 'redacted_thinking', data: 'redacted' } }),
      message('content_block_stop', { index: 1 }),
    ].join('');
    expect(readEverySplit(Buffer.from(stream), marksOf('/v1/messages'))).toEqual([
      'container_1',
      signatureId('first-second'),
      signatureId('redacted'),
    ]);
  });

  test('an event stream is read up to 1,000 IDs', () => {
    const items = Array.from({ length: 1_200 }, (_, at) => item('response.output_item.added', { id: `msg_${at}` }));
    expect(
      read(
        items.map((each) => Buffer.from(each)),
        marksOf('/v1/responses'),
      ),
    ).toHaveLength(1_000);
  });
});

describe('a long JSON response', () => {
  const json = (more: object) => JSON.stringify({ id: 'resp_1', object: 'response', ...more });

  test('a long JSON response is read at every boundary', () => {
    const text = ` \r\n${json({ thread_id: 'thread_1', usage: { id: 'x' }, output: [{ id: 'rs_1' }] })}`;
    expect(readEverySplit(Buffer.from(text))).toEqual(['thread_1', 'resp_1']);
  });

  test('a long JSON response is read up to 16 KiB', () => {
    expect(read([Buffer.from(json({ output: 'x'.repeat(2_000_000) }))])).toEqual(['resp_1']);
    expect(read([Buffer.from(`{"output":"${'x'.repeat(20_000)}","id":"resp_1"}`)])).toEqual([]);
  });
});

test.each(['', '\n\n', '[1,2]', 'data: [DONE]\n\n', '\u0000\u0001"{[', 'data: }}}"\n\ndata: {{{\n'])(
  'bytes without events yield nothing: %j',
  (text) => {
    expect(readEverySplit(Buffer.from(text))).toEqual([]);
  },
);
