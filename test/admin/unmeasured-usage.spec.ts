import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Response } from '../support/gateway.js';
import { BOUNDARY, file, formOf, text } from '../support/multipart-forms.js';
import { poll } from '../support/poll.js';
import { PricingGateway } from '../support/pricing-gateway.js';

interface Log {
  readonly cost: string | null;
  readonly cost_details: { readonly unpriced: readonly string[]; readonly unmeasured: readonly string[] };
}

interface Case {
  readonly path: string;
  readonly body: unknown;
  readonly response: object | string;
  readonly headers?: Record<string, string>;
}

const MESSAGES = [{ role: 'user', content: 'hi' }];
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const ANSWER = { index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' };

const transcription = (format: string, response: object | string): Case => ({
  path: '/v1/audio/transcriptions',
  body: formOf([file('file'), text('model', 'whisper-1'), text('response_format', format)]),
  headers: FORM,
  response,
});

const VIDEO = { path: '/v1/videos', body: { model: 'acme-custom-1', prompt: 'x', seconds: '8' } };

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start({
    GW_PROFILE: 'current',
    GW_UNBILLED_ROUTES: 'batches',
    GW_LOG_SAMPLE_RATE: '1',
  });
});
afterAll(() => pricing.stop());
beforeEach(() => pricing.reset());

async function send({ path, body, response, headers = {} }: Case): Promise<Response> {
  pricing.upstream.on('POST', path, (_request, reply) => {
    const type = typeof response === 'string' ? 'text/plain' : 'application/json';
    reply.writeHead(200, { 'content-type': type });
    reply.end(typeof response === 'string' ? response : JSON.stringify(response));
  });
  const sent = await pricing.gateway.call('POST', path, { key: pricing.key, body, headers });
  expect(sent.status).toBe(200);
  return sent;
}

async function logOf({ headers }: Response): Promise<Log> {
  const path = `/admin/request-logs?request_id=${headers.get('x-request-id')}`;
  const logs = async () => (await pricing.gateway.admin<{ logs: Log[] }>('GET', path)).body.logs;
  await poll(async () => (await logs()).length).toBe(1);
  return (await logs())[0]!;
}

describe('usage that the response does not report', () => {
  test.each<[string, Case, Partial<Log['cost_details']>, object]>([
    [
      'a video',
      {
        ...VIDEO,
        response: { id: 'video_1', object: 'video', model: 'acme-custom-1', status: 'queued', seconds: '8' },
      },
      { unpriced: ['video_seconds'], unmeasured: ['video_seconds'] },
      { model: 'acme-custom-1', units: { video_seconds: 8 } },
    ],
    [
      'a container',
      { path: '/v1/containers', body: { name: 'x' }, response: { id: 'cntr_1', object: 'container' } },
      { unpriced: ['code_executions'], unmeasured: [] },
      { model: '/v1/containers', units: { code_executions: 1 } },
    ],
    [
      'a transcription as text',
      transcription('text', 'Hello.'),
      { unpriced: [], unmeasured: ['audio_seconds'] },
      { model: 'whisper-1', units: { audio_seconds: 0, megabytes: 1 } },
    ],
    [
      'a transcription as subtitles',
      transcription('srt', '1\n00:00:00,000 --> 00:00:59,000\nHello.\n'),
      { unpriced: [], unmeasured: ['audio_seconds'] },
      { model: 'whisper-1', units: { audio_seconds: 0 } },
    ],
    [
      'a transcription as JSON without a duration',
      transcription('json', { text: 'Hello.' }),
      { unpriced: [], unmeasured: ['audio_seconds'] },
      { model: 'whisper-1', units: { audio_seconds: 0 } },
    ],
    [
      'a search in a chat completion',
      {
        path: '/v1/chat/completions',
        body: { model: 'gpt-4o', messages: MESSAGES, web_search_options: {} },
        response: { model: 'gpt-4o', choices: [ANSWER], usage: USAGE },
      },
      { unpriced: [], unmeasured: ['web_searches'] },
      { model: 'gpt-4o', units: { input: 100, output: 10, web_searches: 0 } },
    ],
    [
      'an image of the image generation tool',
      {
        path: '/v1/responses',
        body: { model: 'gpt-4o', input: 'x', tools: [{ type: 'image_generation', model: 'gpt-image-1' }] },
        response: {
          object: 'response',
          model: 'gpt-4o',
          status: 'completed',
          output: [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }],
          usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
        },
      },
      { unpriced: ['images'], unmeasured: ['image_output'] },
      { model: 'gpt-image-1', units: { images: 1, image_output: 0 } },
    ],
    [
      'a realtime session',
      {
        path: '/v1/realtime/client_secrets',
        body: { session: { type: 'realtime', model: 'gpt-4o-realtime-preview' } },
        response: { value: 'ek_1', session: { type: 'realtime' } },
      },
      { unpriced: [], unmeasured: ['input', 'output', 'audio_input', 'audio_output'] },
      { model: 'gpt-4o-realtime-preview', units: { audio_input: 0 } },
    ],
    [
      'a run that is polled',
      {
        path: '/v1/threads/thread_1/runs',
        body: { assistant_id: 'asst_1', model: 'gpt-4o' },
        response: { id: 'run_1', object: 'thread.run', status: 'queued', model: 'gpt-4o', usage: null },
      },
      { unpriced: [], unmeasured: ['input', 'output'] },
      { model: 'gpt-4o', units: { input: 0, output: 0 } },
    ],
  ])('%s is not free', async (_name, request, details, missing) => {
    const log = await logOf(await send(request));
    expect(log.cost_details).toMatchObject(details);
    expect((await pricing.gateway.admin('GET', '/admin/costs')).body).toMatchObject({
      totals: { unpriced_requests: 1 },
    });
    const { models } = await pricing.missing();
    expect(models).toMatchObject([{ requests: 1, ...missing }]);
    expect((models[0] as { unpriced_kinds: string[] }).unpriced_kinds).not.toEqual([]);
  });

  test('a response that reports it is priced', async () => {
    const sent = transcription('verbose_json', { task: 'transcribe', duration: 60, text: 'Hello.' });
    expect(await logOf(await send(sent))).toMatchObject({ cost: '0.006', cost_details: { unmeasured: [] } });
    expect(await pricing.missing()).toMatchObject({ total: 0 });
  });

  test.each([
    ['by request', { requests: '6000' }, '0.006'],
    ['by megabyte', { megabytes: '30000' }, '0.03'],
    ['as free', { audio_seconds: '0' }, '0'],
  ])('an operator can price it %s, also afterwards', async (_name, prices, cost) => {
    const sent = transcription('text', 'Hello.');
    const before = await send(sent);
    expect(await logOf(before)).toMatchObject({ cost: null });
    await poll(() => pricing.waiting()).toBe(1);
    expect((await pricing.setPrice({ model: 'whisper-1', prices })).status).toBe(201);
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, still_unpriced: 0 });
    expect(await logOf(before)).toMatchObject({ cost });
    const shown = () => send(sent).then(logOf);
    await poll(async () => (await shown()).cost).toBe(cost);
    expect(await pricing.missing()).toMatchObject({ total: 0 });
  });

  test('an operator can price a request without a model by its route', async () => {
    const sent = { path: '/v1/containers', body: { name: 'x' }, response: { id: 'cntr_1' } };
    const before = await send(sent);
    await poll(() => pricing.waiting()).toBe(1);
    const price = { model: '/v1/containers', prices: { code_executions: '30000' } };
    expect((await pricing.setPrice(price)).status).toBe(201);
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, still_unpriced: 0 });
    expect(await logOf(before)).toMatchObject({ cost: '0.03' });
  });

  test('an operator can price the images of a tool', async () => {
    const output = [{ type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' }];
    const before = await send({
      path: '/v1/responses',
      body: { model: 'gpt-4o', input: 'x', tools: [{ type: 'image_generation', model: 'gpt-image-1' }] },
      response: { model: 'gpt-4o', output, usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 } },
    });
    expect(await logOf(before)).toMatchObject({ cost: '0.00035' });
    await poll(() => pricing.waiting()).toBe(1);
    await pricing.setPrice({ model: 'gpt-image-1', prices: { images: '40000' } });
    expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '0.04' });
    expect(await logOf(before)).toMatchObject({ cost: '0.04035', cost_details: { unmeasured: [] } });
  });

  test('a request that fails is free', async () => {
    pricing.upstream.on('POST', '/v1/videos', (_request, reply) => {
      reply.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}');
    });
    const { headers } = await pricing.gateway.call('POST', '/v1/videos', { key: pricing.key, body: VIDEO.body });
    expect(await logOf({ headers } as Response)).toMatchObject({ status: 400 });
    await poll(() => pricing.totals()).toMatchObject({ requests: '1', unpriced: '0', nanos: '0' });
  });
});
