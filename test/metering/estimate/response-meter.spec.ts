import { beforeEach, describe, expect, test } from '@jest/globals';
import { ResponseMeter, type Estimator } from '../../../src/proxy/metering/response-meter.js';
import { CaptureMemory } from '../../../src/fairness/response-memory.js';
import { ResponseCapture } from '../../../src/proxy/metering/estimate/response-capture.js';
import type { EstimateJob } from '../../../src/proxy/metering/estimate/estimate-job.js';
import { USAGE_FORMATS } from '../../../src/proxy/metering/usage-formats.data.js';
import type { KeySnapshot } from '../../../src/request-context/key-snapshot.js';
import { RequestContext } from '../../../src/request-context/request-context.js';

const ROOM_BYTES = 128 * 1024;
const room = new CaptureMemory(ROOM_BYTES);
const jobs: EstimateJob[] = [];
const holders: string[] = [];
let captures = 0;
const estimator: Estimator = {
  capture: () => {
    captures += 1;
    return new ResponseCapture(room);
  },
  estimate: (job, holder) => {
    jobs.push(job);
    holders.push(holder);
    return Promise.resolve({ input: job.request === null ? 0 : 100, output: job.answer === null ? 0 : 50 });
  },
};
beforeEach(() => {
  jobs.length = 0;
  holders.length = 0;
  captures = 0;
});

function metered(route: keyof typeof USAGE_FORMATS, sentWhole = true) {
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', 'POST');
  ctx.model = 'gpt-4o';
  ctx.body.bytes = Buffer.from('{"messages":[]}');
  ctx.upstream.sentWhole = sentWhole;
  return { ctx, meter: new ResponseMeter(ctx, USAGE_FORMATS[route], estimator, () => undefined) };
}
const usage = (inputTokens: number, outputTokens: number, provenance: string) => ({
  ...{ inputTokens, outputTokens, provenance },
});
const EVENT = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n');
const REPORT = Buffer.from('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n');
const START = Buffer.from(
  'data: {"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}\n\n',
);

describe('an answer that reports its usage is not counted', () => {
  test('streamed', () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream');
    for (const chunk of [EVENT, REPORT]) meter.push(chunk);
    meter.end(true);
    expect([ctx.usage, ctx.estimate, jobs]).toEqual([usage(3, 4, 'reported'), null, []]);
  });

  test('streamed and cut after the report', () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream');
    meter.push(REPORT);
    meter.end(false);
    expect([ctx.usage, ctx.estimate]).toEqual([usage(3, 4, 'reported'), null]);
  });

  test('passed on as JSON', () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('application/json');
    for (const piece of ['{"usage":{"prompt_tokens":3,', '"completion_tokens":4}}']) meter.push(Buffer.from(piece));
    meter.end(true);
    expect([ctx.usage, ctx.estimate]).toEqual([usage(3, 4, 'reported'), null]);
  });

  test('buffered', () => {
    const { ctx, meter } = metered('chat');
    meter.buffered(Buffer.from('{"usage":{"prompt_tokens":0,"completion_tokens":0}}'));
    expect([ctx.usage, ctx.estimate]).toEqual([usage(0, 0, 'reported'), null]);
  });
});

describe('of images and audio nothing is counted', () => {
  const nothing = [usage(0, 0, 'none'), null, [], 0];

  test('in a whole answer without a report', () => {
    const { ctx, meter } = metered('media');
    meter.buffered(Buffer.from('{"text":"Hello."}'));
    expect([ctx.usage, ctx.estimate, jobs, captures]).toEqual(nothing);
  });

  test.each(['text/event-stream', 'audio/mpeg'])('in %s, of which nothing is kept either', (contentType) => {
    const { ctx, meter } = metered('media');
    meter.startStream(contentType);
    meter.push(EVENT);
    meter.end(false);
    expect([ctx.usage, ctx.estimate, jobs, captures]).toEqual(nothing);
  });

  test('where a cut report lacks a figure', () => {
    const { ctx, meter } = metered('media');
    meter.startStream('text/event-stream');
    meter.push(Buffer.from('data: {"type":"transcript.text.done","usage":{"output_tokens":2,"inp'));
    meter.end(false);
    expect([ctx.usage, ctx.estimate, jobs]).toEqual([usage(0, 2, 'partial'), null, []]);
  });
});

describe('what an answer does not report is counted', () => {
  test('of a stream, on both sides', async () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream; charset=utf-8');
    for (let i = 0; i < 3; i++) meter.push(EVENT);
    meter.end(true);
    expect(ctx.usage).toEqual(usage(0, 0, 'none'));
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
    const [job] = jobs;
    expect([job?.model, job?.answer?.format, job?.answer?.totalBytes]).toEqual(['gpt-4o', 'sse', 3 * EVENT.length]);
    expect(Buffer.from(job!.request!.bytes).equals(ctx.body.bytes!)).toBe(true);
    expect(Buffer.from(job!.answer!.bytes).equals(Buffer.concat([EVENT, EVENT, EVENT]))).toBe(true);
  });

  test('of a buffered answer', async () => {
    const { ctx, meter } = metered('chat');
    const body = Buffer.from('{"choices":[]}');
    meter.buffered(body);
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
    expect([jobs[0]?.answer?.format, jobs[0]?.answer?.totalBytes]).toEqual(['json', body.length]);
    expect(Buffer.from(jobs[0]!.answer!.bytes).equals(body)).toBe(true);
    expect(jobs[0]?.request?.totalBytes).toBe(ctx.body.bytes?.length);
  });

  test('of a buffered answer of which not all had come: what it seems to report is not believed', async () => {
    const { ctx, meter } = metered('chat');
    meter.buffered(REPORT.subarray('data: '.length), false);
    expect(ctx.usage).toEqual(usage(0, 0, 'none'));
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
  });

  test('of a stream that was cut: what it had reported stands', async () => {
    const { ctx, meter } = metered('messages');
    meter.startStream('text/event-stream');
    meter.push(START);
    meter.end(false);
    expect(ctx.usage).toEqual(usage(7, 0, 'partial'));
    expect(await ctx.estimate).toEqual(usage(7, 50, 'partial'));
    expect(jobs[0]?.request).toBeNull();
  });

  test('of a stream that was cut in its report: the side that had not come', async () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream');
    meter.push(Buffer.from('data: {"usage":{"completion_tokens":9,"prompt_tok'));
    meter.end(false);
    expect(ctx.usage).toEqual(usage(0, 9, 'partial'));
    expect(await ctx.estimate).toEqual(usage(100, 9, 'partial'));
    expect(jobs[0]?.answer).toBeNull();
  });

  test('of a request that is not held: what came out', async () => {
    const { ctx, meter } = metered('chat');
    ctx.body.bytes = null;
    meter.buffered(Buffer.from('{"choices":[]}'));
    expect(await ctx.estimate).toEqual(usage(0, 50, 'estimated'));
    expect(jobs[0]?.request).toBeNull();
  });

  test('of an answer that the client did not wait for: what went in', async () => {
    const { ctx, meter } = metered('chat');
    meter.end(false);
    expect(await ctx.estimate).toEqual(usage(100, 0, 'estimated'));
  });

  test('of embeddings: the input alone', async () => {
    const { ctx, meter } = metered('embeddings');
    meter.buffered(Buffer.from('{"data":[{"embedding":[0.1]}]}'));
    expect(await ctx.estimate).toEqual(usage(100, 0, 'estimated'));
    expect(jobs[0]?.answer).toBeNull();
  });

  test('of embeddings whose request is not held: nothing', () => {
    const { ctx, meter } = metered('embeddings');
    ctx.body.bytes = null;
    meter.buffered(Buffer.from('{"data":[]}'));
    expect([ctx.estimate, jobs]).toEqual([null, []]);
  });

  const EVENT_TEXT = EVENT.toString();
  test.each([
    ...['text/event-stream', 'application/json', 'application/x-ndjson', 'text/plain', ''].map(
      (type) => [type, EVENT_TEXT, 'sse'] as const,
    ),
    ...['application/x-ndjson', 'Application/NDJSON', 'application/jsonl', 'text/json-lines'].map(
      (type) => [type, '{"a":1}\n', 'ndjson'] as const,
    ),
    ...['application/json', 'application/json;x=ndjson', 'text/event-stream', 'text/plain', ''].flatMap((type) =>
      ['{"a":1}', '\n  {', '\ufeff{', '[{'].map((body) => [type, body, 'json'] as const),
    ),
  ])('if its type is %j and it begins with %j, in the format %s', (type, body, format) => {
    const { meter } = metered('chat');
    meter.startStream(type);
    for (const byte of Buffer.from(body)) meter.push(Buffer.of(byte));
    meter.end(true);
    expect(jobs[0]?.answer?.format).toBe(format);
  });

  test('if it is held and is a stream, whatever its type', () => {
    const { meter } = metered('chat');
    meter.buffered(EVENT);
    expect(jobs[0]?.answer?.format).toBe('sse');
  });
});

test('nothing is kept of the answers of a route that have no text', () => {
  const { ctx, meter } = metered('embeddings');
  meter.startStream('text/event-stream');
  for (const chunk of [EVENT, REPORT]) meter.push(chunk);
  meter.end(true);
  expect([ctx.usage, captures]).toEqual([usage(3, 0, 'reported'), 0]);
});

test('what was kept of an answer leaves room for others once it has ended', () => {
  const { meter } = metered('chat');
  meter.startStream('text/event-stream');
  meter.push(Buffer.alloc(64 * 1024));
  expect(room.take(ROOM_BYTES)).toBe(false);
  meter.end(true);
  expect(room.take(ROOM_BYTES)).toBe(true);
  room.release(ROOM_BYTES);
});

test('what is counted waits under the key whose request it was', () => {
  const { ctx, meter } = metered('chat');
  ctx.key = { id: 'a key' } as KeySnapshot;
  meter.end(false);
  expect(holders).toEqual(['a key']);
});

test('a request that the upstream did not have whole costs nothing', () => {
  const { ctx, meter } = metered('chat', false);
  meter.startStream('text/event-stream');
  meter.push(EVENT);
  meter.end(false);
  expect([ctx.usage, ctx.estimate, jobs]).toEqual([usage(0, 0, 'none'), null, []]);
});

test('what is counted is copied: nothing of the request or of a socket is held for it', () => {
  const { ctx, meter } = metered('chat');
  const slab = Buffer.alloc(64 * 1024);
  ctx.body.bytes = slab.subarray(0, 20);
  meter.buffered(slab.subarray(20, 50));
  for (const side of [jobs[0]?.request, jobs[0]?.answer]) {
    expect(side?.bytes.buffer.byteLength).toBe(side?.bytes.length);
    expect(side?.bytes.buffer).not.toBe(slab.buffer);
  }
});
