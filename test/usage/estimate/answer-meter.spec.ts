import { beforeEach, describe, expect, test } from 'vitest';
import { AnswerMeter, type Estimator } from '../../../src/proxy/usage/answer-meter.js';
import { AnswerCapture, CaptureRoom } from '../../../src/proxy/usage/estimate/answer-capture.js';
import type { EstimateJob } from '../../../src/proxy/usage/estimate/estimate-job.js';
import { USAGE_READERS } from '../../../src/proxy/usage/usage-readers.js';
import { RequestContext } from '../../../src/request-context/request-context.js';

const jobs: EstimateJob[] = [];
const estimator: Estimator = {
  capture: () => new AnswerCapture(new CaptureRoom()),
  estimate: (job) => {
    jobs.push(job);
    return Promise.resolve({ input: job.request === null ? 0 : 100, output: job.answer === null ? 0 : 50 });
  },
};
beforeEach(() => {
  jobs.length = 0;
});

function metered(route: keyof typeof USAGE_READERS, sentWhole = true) {
  const ctx = new RequestContext('00000000-0000-7000-8000-000000000000', 'POST');
  ctx.model = 'gpt-4o';
  ctx.body = Buffer.from('{"messages":[]}');
  ctx.sentWhole = sentWhole;
  return { ctx, meter: new AnswerMeter(ctx, USAGE_READERS[route], estimator) };
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

  test('buffered', () => {
    const { ctx, meter } = metered('chat');
    meter.buffered(Buffer.from('{"usage":{"prompt_tokens":0,"completion_tokens":0}}'));
    expect([ctx.usage, ctx.estimate]).toEqual([usage(0, 0, 'reported'), null]);
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
    expect(Buffer.from(job!.request!.bytes).equals(ctx.body!)).toBe(true);
    expect(Buffer.from(job!.answer!.bytes).equals(Buffer.concat([EVENT, EVENT, EVENT]))).toBe(true);
  });

  test('of a buffered answer', async () => {
    const { ctx, meter } = metered('chat');
    meter.buffered(Buffer.from('{"choices":[]}'));
    expect(await ctx.estimate).toEqual(usage(100, 50, 'estimated'));
    expect(jobs[0]?.answer?.format).toBe('json');
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
  ctx.body = slab.subarray(0, 20);
  meter.buffered(slab.subarray(20, 50));
  for (const side of [jobs[0]?.request, jobs[0]?.answer]) {
    expect(side?.bytes.buffer.byteLength).toBe(side?.bytes.length);
    expect(side?.bytes.buffer).not.toBe(slab.buffer);
  }
});
