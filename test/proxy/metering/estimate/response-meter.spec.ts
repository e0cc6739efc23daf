import { beforeEach, describe, expect, test } from '@jest/globals';
import { ResponseMeter, type Estimator } from '../../../../src/proxy/metering/response-meter.js';
import { CaptureMemory } from '../../../../src/proxy/response-memory.js';
import { ResponseCapture } from '../../../../src/proxy/metering/estimate/response-capture.js';
import type { EstimateJob } from '../../../../src/proxy/metering/estimate/estimate-job.js';
import { USAGE_FORMATS } from '../../../../src/proxy/metering/usage-formats.data.js';
import type { KeySnapshot } from '../../../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../../../src/platform/request-context/request-context.js';

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
    return Promise.resolve({ input: job.request === null ? 0 : 100, output: job.response === null ? 0 : 50 });
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
  return { ctx, meter: new ResponseMeter(ctx, USAGE_FORMATS[route], { estimator, onError: () => {} }) };
}
const usage = (inputTokens: number, outputTokens: number, provenance: string) => ({
  inputTokens,
  outputTokens,
  provenance,
});
const EVENT = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n');
const REPORT = Buffer.from('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n');
const START = Buffer.from(
  'data: {"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}\n\n',
);

describe('responses that report their usage', () => {
  test('does not estimate a stream that reports its usage', () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream');
    for (const chunk of [EVENT, REPORT]) meter.push(chunk);
    meter.end(true);
    expect([ctx.usage, ctx.estimate, jobs]).toEqual([usage(3, 4, 'reported'), null, []]);
  });

  test('does not estimate a stream that was interrupted after its report', () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream');
    meter.push(REPORT);
    meter.end(false);
    expect([ctx.usage, ctx.estimate]).toEqual([usage(3, 4, 'reported'), null]);
  });

  test('does not estimate a JSON response that is forwarded in chunks and reports its usage', () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('application/json');
    for (const piece of ['{"usage":{"prompt_tokens":3,', '"completion_tokens":4}}']) meter.push(Buffer.from(piece));
    meter.end(true);
    expect([ctx.usage, ctx.estimate]).toEqual([usage(3, 4, 'reported'), null]);
  });

  test('does not estimate a buffered response that reports a usage of 0', () => {
    const { ctx, meter } = metered('chat');
    meter.buffered(Buffer.from('{"usage":{"prompt_tokens":0,"completion_tokens":0}}'));
    expect([ctx.usage, ctx.estimate]).toEqual([usage(0, 0, 'reported'), null]);
  });
});

describe('media responses', () => {
  const nothing = [usage(0, 0, 'none'), null, [], 0];

  test('does not estimate a whole media response without a report', () => {
    const { ctx, meter } = metered('media');
    meter.buffered(Buffer.from('{"text":"Hello."}'));
    expect([ctx.usage, ctx.estimate, jobs, captures]).toEqual(nothing);
  });

  test.each(['text/event-stream', 'audio/mpeg'])('neither estimates nor keeps a media stream of %s', (contentType) => {
    const { ctx, meter } = metered('media');
    meter.startStream(contentType);
    meter.push(EVENT);
    meter.end(false);
    expect([ctx.usage, ctx.estimate, jobs, captures]).toEqual(nothing);
  });

  test('does not estimate the missing count in a media stream whose report is truncated', () => {
    const { ctx, meter } = metered('media');
    meter.startStream('text/event-stream');
    meter.push(Buffer.from('data: {"type":"transcript.text.done","usage":{"output_tokens":2,"inp'));
    meter.end(false);
    expect([ctx.usage, ctx.estimate, jobs]).toEqual([usage(0, 2, 'partial'), null, []]);
  });
});

describe('responses that do not report their usage', () => {
  test('estimates both sides of a stream without a report', async () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream; charset=utf-8');
    for (let i = 0; i < 3; i++) meter.push(EVENT);
    meter.end(true);
    expect(ctx.usage).toEqual(usage(0, 0, 'none'));
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
    const [job] = jobs;
    expect([job?.model, job?.response?.format, job?.response?.totalBytes]).toEqual(['gpt-4o', 'sse', 3 * EVENT.length]);
    expect(Buffer.from(job!.request!.bytes).equals(ctx.body.bytes!)).toBe(true);
    expect(Buffer.from(job!.response!.bytes).equals(Buffer.concat([EVENT, EVENT, EVENT]))).toBe(true);
  });

  test('estimates both sides of a buffered response without a report', async () => {
    const { ctx, meter } = metered('chat');
    const body = Buffer.from('{"choices":[]}');
    meter.buffered(body);
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
    expect([jobs[0]?.response?.format, jobs[0]?.response?.totalBytes]).toEqual(['json', body.length]);
    expect(Buffer.from(jobs[0]!.response!.bytes).equals(body)).toBe(true);
    expect(jobs[0]?.request?.totalBytes).toBe(ctx.body.bytes?.length);
  });

  test('estimates a truncated buffered response, and ignores its report', async () => {
    const { ctx, meter } = metered('chat');
    meter.buffered(REPORT.subarray('data: '.length), false);
    expect(ctx.usage).toEqual(usage(0, 0, 'none'));
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
  });

  test('keeps the input that an interrupted stream reported, and estimates the output', async () => {
    const { ctx, meter } = metered('messages');
    meter.startStream('text/event-stream');
    meter.push(START);
    meter.end(false);
    expect(ctx.usage).toEqual(usage(7, 0, 'partial'));
    expect(await ctx.estimate).toEqual(usage(7, 50, 'partial'));
    expect(jobs[0]?.request).toBeNull();
  });

  test('estimates the count that is missing from a truncated report', async () => {
    const { ctx, meter } = metered('chat');
    meter.startStream('text/event-stream');
    meter.push(Buffer.from('data: {"usage":{"completion_tokens":9,"prompt_tok'));
    meter.end(false);
    expect(ctx.usage).toEqual(usage(0, 9, 'partial'));
    expect(await ctx.estimate).toEqual(usage(100, 9, 'partial'));
    expect(jobs[0]?.response).toBeNull();
  });

  test('estimates only the output if the request body is not held', async () => {
    const { ctx, meter } = metered('chat');
    ctx.body.bytes = null;
    meter.buffered(Buffer.from('{"choices":[]}'));
    expect(await ctx.estimate).toEqual(usage(0, 50, 'estimated'));
    expect(jobs[0]?.request).toBeNull();
  });

  test('estimates only the input if the request ends before the response starts', async () => {
    const { ctx, meter } = metered('chat');
    meter.end(false);
    expect(await ctx.estimate).toEqual(usage(100, 0, 'estimated'));
  });

  test('estimates only the input of an embeddings request', async () => {
    const { ctx, meter } = metered('embeddings');
    meter.buffered(Buffer.from('{"data":[{"embedding":[0.1]}]}'));
    expect(await ctx.estimate).toEqual(usage(100, 0, 'estimated'));
    expect(jobs[0]?.response).toBeNull();
  });

  test('estimates nothing for an embeddings request whose body is not held', () => {
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
  ])('a response of type %j that begins with %j is estimated as %s', (type, body, format) => {
    const { meter } = metered('chat');
    meter.startStream(type);
    for (const byte of Buffer.from(body)) meter.push(Buffer.of(byte));
    meter.end(true);
    expect(jobs[0]?.response?.format).toBe(format);
  });

  test('a buffered response that looks like an event stream is estimated as one', () => {
    const { meter } = metered('chat');
    meter.buffered(EVENT);
    expect(jobs[0]?.response?.format).toBe('sse');
  });
});

test('keeps nothing of the responses of a route whose output is not text', () => {
  const { ctx, meter } = metered('embeddings');
  meter.startStream('text/event-stream');
  for (const chunk of [EVENT, REPORT]) meter.push(chunk);
  meter.end(true);
  expect([ctx.usage, captures]).toEqual([usage(3, 0, 'reported'), 0]);
});

test('releases the captured response when the response ends', () => {
  const { meter } = metered('chat');
  meter.startStream('text/event-stream');
  meter.push(Buffer.alloc(64 * 1024));
  expect(room.take(ROOM_BYTES)).toBe(false);
  meter.end(true);
  expect(room.take(ROOM_BYTES)).toBe(true);
  room.release(ROOM_BYTES);
});

test('queues an estimate under the API key of the request', () => {
  const { ctx, meter } = metered('chat');
  ctx.key = { id: 'a key' } as KeySnapshot;
  meter.end(false);
  expect(holders).toEqual(['a key']);
});

test('does not estimate a request that was not sent to the upstream completely', () => {
  const { ctx, meter } = metered('chat', false);
  meter.startStream('text/event-stream');
  meter.push(EVENT);
  meter.end(false);
  expect([ctx.usage, ctx.estimate, jobs]).toEqual([usage(0, 0, 'none'), null, []]);
});

test('copies the bytes to estimate, so that no larger buffer stays in memory', () => {
  const { ctx, meter } = metered('chat');
  const slab = Buffer.alloc(64 * 1024);
  ctx.body.bytes = slab.subarray(0, 20);
  meter.buffered(slab.subarray(20, 50));
  for (const side of [jobs[0]?.request, jobs[0]?.response]) {
    expect(side?.bytes.buffer.byteLength).toBe(side?.bytes.length);
    expect(side?.bytes.buffer).not.toBe(slab.buffer);
  }
});
