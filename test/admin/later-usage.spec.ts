import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayProcess } from '../support/gateway-process.js';
import type { Response } from '../support/gateway.js';
import { poll } from '../support/poll.js';
import { PricingGateway, UNPRICED_MODEL } from '../support/pricing-gateway.js';

const USAGE = { input_tokens: 1000, output_tokens: 50_000, total_tokens: 51_000 };
const RUN_USAGE = { prompt_tokens: 200, completion_tokens: 30, total_tokens: 230 };

let pricing: PricingGateway;
beforeAll(async () => {
  pricing = await PricingGateway.start({
    GW_PROFILE: 'current',
    GW_UNBILLED_ROUTES: 'batches',
    GW_LOG_SAMPLE_RATE: '1',
  });
});
afterAll(() => pricing.stop());
let number = 0;
let id: string;
beforeEach(async () => {
  await pricing.reset();
  id = `${(number += 1)}`;
});

const respond = (method: string, path: string, body: object, headers = {}) =>
  pricing.upstream.on(method, path, (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });

const stream = (method: string, path: string, events: readonly (readonly [string, object])[]) =>
  pricing.upstream.on(method, path, (_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.end(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''));
  });

async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
  const response = await pricing.gateway.call(method, path, { key: pricing.key, body });
  expect(response.status).toBe(200);
  return response;
}

const response = (status: string, usage: object | null) => ({
  id: `resp_${id}`,
  object: 'response',
  background: true,
  model: 'gpt-4o',
  status,
  error: null,
  output: [],
  usage,
});

const background = () => call('POST', '/v1/responses', { model: 'gpt-4o', input: 'x', background: true });

async function costs() {
  const { body } = await pricing.gateway.admin<{ totals: Record<string, unknown> }>('GET', '/admin/costs');
  const { requests, cost, unpriced_requests: unpriced, estimated_requests: estimated, tokens } = body.totals;
  const { input, output } = tokens as Record<string, number>;
  return { requests, cost, unpriced, estimated, input, output };
}

async function logOf({ headers }: Response) {
  const path = `/admin/request-logs?request_id=${headers.get('x-request-id')}`;
  return (await pricing.gateway.admin<{ logs: Record<string, unknown>[] }>('GET', path)).body.logs[0];
}

const tokensOfKey = async () => {
  const rows = 'select sum(input_tokens)::int as input, sum(output_tokens)::int as output from usage_monthly';
  return (await pricing.source.query<object[]>(rows))[0];
};

/** 1,000 × $2.50 and 50,000 × $10 per million. */
const COMPLETE = { cost: '0.5025', unpriced: 0, estimated: 0, input: 1000, output: 50_000 };

describe('a background response', () => {
  test('is billed once to the request that created it, however often it is read', async () => {
    respond('POST', '/v1/responses', response('queued', null));
    const before = await tokensOfKey();
    const created = await background();
    const path = `/v1/responses/resp_${id}`;
    respond('GET', path, response('in_progress', null));
    await call('GET', path);
    respond('GET', path, response('completed', USAGE));
    for (let n = 0; n < 3; n++) await call('GET', path);
    await poll(costs).toEqual({ ...COMPLETE, requests: 5 });
    await call('GET', path);
    await poll(costs).toEqual({ ...COMPLETE, requests: 6 });
    expect(await logOf(created)).toMatchObject({
      cost: '0.5025',
      input_tokens: 1000,
      output_tokens: 50_000,
      cost_details: { unmeasured: [], unpriced: [], recomputed_at: expect.any(String) },
    });
    const { input = 0, output = 0 } = before as { input?: number; output?: number };
    expect(await tokensOfKey()).toEqual({ input: (input ?? 0) + 1000, output: (output ?? 0) + 50_000 });
    expect(await pricing.missing()).toMatchObject({ total: 0 });
  });

  test('counts as unpriced until it is read', async () => {
    respond('POST', '/v1/responses', response('queued', null));
    const created = await background();
    await poll(costs).toEqual({ requests: 1, cost: null, unpriced: 1, estimated: 0, input: 0, output: 0 });
    await poll(() => logOf(created)).toMatchObject({ cost: null, cost_details: { unmeasured: ['input', 'output'] } });
    expect(await pricing.missing()).toMatchObject({ total: 1, models: [{ model: 'gpt-4o', requests: 1 }] });
  });

  test('can be streamed later', async () => {
    respond('POST', '/v1/responses', response('queued', null));
    await background();
    const path = `/v1/responses/resp_${id}`;
    stream('GET', path, [
      ['response.created', { type: 'response.created', response: response('in_progress', null) }],
      ['response.completed', { type: 'response.completed', response: response('completed', USAGE) }],
    ]);
    await call('GET', `${path}?stream=true`);
    await poll(costs).toEqual({ ...COMPLETE, requests: 2 });
  });

  test('is not billed twice if its own stream reports the usage', async () => {
    stream('POST', '/v1/responses', [
      ['response.created', { type: 'response.created', response: response('in_progress', null) }],
      ['response.completed', { type: 'response.completed', response: response('completed', USAGE) }],
    ]);
    await call('POST', '/v1/responses', { model: 'gpt-4o', input: 'x', background: true, stream: true });
    respond('GET', `/v1/responses/resp_${id}`, response('completed', USAGE));
    await call('GET', `/v1/responses/resp_${id}`);
    await poll(costs).toEqual({ ...COMPLETE, requests: 2 });
  });

  test('is billed by its last response if its stream ends early', async () => {
    stream('POST', '/v1/responses', [
      ['response.created', { type: 'response.created', response: response('in_progress', null) }],
    ]);
    await call('POST', '/v1/responses', { model: 'gpt-4o', input: 'x', background: true, stream: true });
    respond('GET', `/v1/responses/resp_${id}`, response('completed', USAGE));
    await call('GET', `/v1/responses/resp_${id}`);
    await poll(costs).toEqual({ ...COMPLETE, requests: 2 });
  });

  test('is free if it failed', async () => {
    respond('POST', '/v1/responses', response('queued', null));
    await background();
    respond('GET', `/v1/responses/resp_${id}`, { ...response('failed', null), error: { code: 'server_error' } });
    await call('GET', `/v1/responses/resp_${id}`);
    await poll(costs).toEqual({ requests: 2, cost: '0', unpriced: 0, estimated: 0, input: 0, output: 0 });
  });

  test('is billed once if a restarted gateway and other instances read it at the same time', async () => {
    const settings = {
      DATABASE_URL: pricing.scratch.url,
      GW_UPSTREAM_BASE_URL: pricing.upstream.url,
      GW_ROUTES: 'all',
    };
    const creator = await GatewayProcess.start(settings);
    respond('POST', '/v1/responses', response('queued', null));
    const headers = { authorization: `Bearer ${pricing.key.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'gpt-4o', input: 'x', background: true });
    expect((await fetch(`${creator.url}/v1/responses`, { method: 'POST', headers, body })).status).toBe(200);
    await poll(() => pricing.waiting()).toBe(1);
    await creator.kill();
    const path = `/v1/responses/resp_${id}`;
    respond('GET', path, response('completed', USAGE));
    const others = await Promise.all([GatewayProcess.start(settings), GatewayProcess.start(settings)]);
    const reads = others.map(({ url }) => fetch(url + path, { headers }));
    expect((await Promise.all([...reads, call('GET', path)])).map(({ status }) => status)).toEqual([200, 200, 200]);
    await poll(costs).toEqual({ ...COMPLETE, requests: 4 });
    for (const other of others) await other.kill();
    expect(await costs()).toEqual({ ...COMPLETE, requests: 4 });
  });
});

describe('a run', () => {
  const run = (status: string, usage: object | null) => ({
    id: `run_${id}`,
    object: 'thread.run',
    thread_id: 'thread_1',
    status,
    model: 'gpt-4o',
    usage,
  });
  const body = { assistant_id: 'asst_1', model: 'gpt-4o' };
  /** 200 × $2.50 and 30 × $10 per million. */
  const complete = { cost: '0.0008', unpriced: 0, estimated: 0, input: 200, output: 30 };

  test('that is polled is billed once', async () => {
    respond('POST', '/v1/threads/thread_1/runs', run('queued', null));
    await call('POST', '/v1/threads/thread_1/runs', body);
    respond('GET', `/v1/threads/thread_1/runs/run_${id}`, run('completed', RUN_USAGE));
    for (let n = 0; n < 2; n++) await call('GET', `/v1/threads/thread_1/runs/run_${id}`);
    await poll(costs).toEqual({ ...complete, requests: 3 });
  });

  test('without a model in the request has the price of the model that its stream names', async () => {
    stream('POST', '/v1/threads/thread_1/runs', [
      ['thread.run.created', run('queued', null)],
      ['thread.run.completed', run('completed', RUN_USAGE)],
    ]);
    await call('POST', '/v1/threads/thread_1/runs', { assistant_id: 'asst_1', stream: true });
    await poll(costs).toEqual({ ...complete, requests: 1 });
  });

  test('whose stream continues after tool outputs is billed once', async () => {
    stream('POST', '/v1/threads/thread_1/runs', [
      ['thread.run.created', run('queued', null)],
      ['thread.run.requires_action', run('requires_action', null)],
    ]);
    await call('POST', '/v1/threads/thread_1/runs', { ...body, stream: true });
    const path = `/v1/threads/thread_1/runs/run_${id}`;
    stream('POST', `${path}/submit_tool_outputs`, [['thread.run.completed', run('completed', RUN_USAGE)]]);
    await call('POST', `${path}/submit_tool_outputs`, { tool_outputs: [], stream: true });
    respond('GET', path, run('completed', RUN_USAGE));
    await call('GET', path);
    await poll(costs).toEqual({ ...complete, requests: 3 });
  });
});

describe('a video', () => {
  const video = (status: string, given = {}) => ({
    id: `video_${id}`,
    object: 'video',
    model: UNPRICED_MODEL,
    status,
    error: null,
    ...given,
  });
  const create = async () => {
    await pricing.setPrice({ prices: { video_seconds: '100000' } });
    respond('POST', '/v1/videos', video('queued', { seconds: '8', size: '1280x720' }));
    return call('POST', '/v1/videos', { model: UNPRICED_MODEL, prompt: 'x', seconds: '8' });
  };
  const read = async (given: object) => {
    respond('GET', `/v1/videos/video_${id}`, given);
    await call('GET', `/v1/videos/video_${id}`);
  };

  test('has the requested seconds as a lower bound until it is complete, and is then billed once', async () => {
    const created = await create();
    await poll(costs).toMatchObject({ requests: 1, cost: '0.8', unpriced: 1 });
    expect(await logOf(created)).toMatchObject({ cost: '0.8', cost_details: { unmeasured: ['video_seconds'] } });
    await read(video('in_progress', { seconds: '8' }));
    await read(video('completed', { seconds: '8', size: '1280x720' }));
    await read(video('completed', { seconds: '8', size: '1280x720' }));
    await poll(costs).toMatchObject({ requests: 4, cost: '0.8', unpriced: 0 });
    expect(await logOf(created)).toMatchObject({ cost: '0.8', cost_details: { unmeasured: [] } });
  });

  test('has the seconds of the completed video', async () => {
    await create();
    await read(video('completed', { seconds: '4' }));
    await poll(costs).toMatchObject({ requests: 2, cost: '0.4', unpriced: 0 });
  });

  test('that failed is free', async () => {
    await create();
    await read({ ...video('failed', { seconds: '8' }), error: { code: 'x', message: 'y' } });
    await poll(costs).toMatchObject({ requests: 2, cost: '0', unpriced: 0 });
  });
});

test('a batch has the tokens and the discount that its object reports when it is complete', async () => {
  const batch = (status: string, usage?: object) => ({
    id: `batch_${id}`,
    object: 'batch',
    model: 'gpt-4o',
    status,
    usage,
  });
  pricing.upstream.on('GET', '/v1/files/file-1/content', (_request, reply) => void reply.end('\n'));
  respond('POST', '/v1/batches', batch('validating'));
  await call('POST', '/v1/batches', { input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' });
  await poll(costs).toMatchObject({ requests: 1, unpriced: 1 });
  respond('GET', `/v1/batches/batch_${id}`, batch('in_progress', { input_tokens: 0, output_tokens: 0 }));
  await call('GET', `/v1/batches/batch_${id}`);
  respond('GET', `/v1/batches/batch_${id}`, batch('completed', USAGE));
  await call('GET', `/v1/batches/batch_${id}`);
  await poll(costs).toMatchObject({ requests: 3, cost: '0.25125', unpriced: 0, input: 1000, output: 50_000 });
});

// The last test, because its price of `gpt-4o` would apply to the others.
test('a background response without a complete price has its usage, and can be priced later', async () => {
  await pricing.setPrice({ model: 'gpt-4o', prices: { input: '2.5' } });
  respond('POST', '/v1/responses', response('queued', null));
  await background();
  respond('GET', `/v1/responses/resp_${id}`, response('completed', USAGE));
  await call('GET', `/v1/responses/resp_${id}`);
  await poll(costs).toEqual({ requests: 2, cost: '0.0025', unpriced: 1, estimated: 0, input: 1000, output: 50_000 });
  expect(await pricing.missing()).toMatchObject({ models: [{ units: { input: 1000, output: 50_000 } }] });
  await pricing.setPrice({ model: 'gpt-4o', provider: 'default', prices: { input: '1', output: '2' } });
  expect((await pricing.recompute()).body).toMatchObject({ recomputed: 1, amount: '0.0985' });
  await poll(costs).toMatchObject({ cost: '0.101', unpriced: 0 });
});
