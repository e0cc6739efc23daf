import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { errorIn } from '../../../support/responses.js';
import type { Key, TestGateway } from '../../../support/gateway.js';
import { untilPasses } from '../../../support/poll.js';
import { startGateway } from '../../../support/ready-gateway.js';
import { chatStream } from '../../../support/scripted-upstream-responses.js';
import { chatRequest, Wire } from '../../../support/wire.js';

const PATH = '/v1/chat/completions';
const CHAT = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hello' }] };
const AMOUNTS = {
  requests: 1000,
  concurrent_requests: 2,
  tokens: 1_000_000,
  input_tokens: 1_000_000,
  output_tokens: 1_000_000,
  cost: '1',
};
type Measure = keyof typeof AMOUNTS;

interface Limit {
  readonly id: number;
  readonly measure: Measure;
  readonly used: number | string;
  readonly reserved: number | string;
}

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
  for (const measure of Object.keys(AMOUNTS) as Measure[]) await addLimit(measure);
});

async function addLimit(measure: Measure, fields: object = {}): Promise<number> {
  const period = measure === 'concurrent_requests' ? {} : { period: 'month' };
  const body = { scope: 'key', key_id: key.id, measure, amount: AMOUNTS[measure], ...period, ...fields };
  const response = await gateway.admin<Limit>('POST', '/admin/limits', body);
  expect(response.status).toBe(201);
  return response.body.id;
}

async function figures(figure: 'used' | 'reserved'): Promise<Readonly<Record<string, number | string>>> {
  const { body } = await gateway.admin<{ limits: Limit[] }>('GET', `/admin/limits?key_id=${key.id}`);
  return Object.fromEntries(body.limits.map((limit) => [limit.measure, limit[figure]]));
}

const NOTHING = { requests: 0, concurrent_requests: 0, tokens: 0, input_tokens: 0, output_tokens: 0, cost: '0' };
/** The usage of the scripted provider, at the price of the model. */
const USED = { ...NOTHING, requests: 1, tokens: 12, input_tokens: 9, output_tokens: 3, cost: '0.00000315' };

const settlesTo = (used: object) =>
  untilPasses(async () => {
    expect(await figures('reserved')).toEqual(NOTHING);
    expect(await figures('used')).toEqual(used);
  });

const someTokens = {
  requests: 1,
  concurrent_requests: 0,
  tokens: expect.any(Number),
  input_tokens: expect.any(Number),
  output_tokens: expect.any(Number),
  cost: expect.stringMatching(/^0\.0+[1-9]/),
};

const stream = (chunks: readonly string[], end: 'complete' | 'close' = 'complete') =>
  gateway.upstream.on('POST', PATH, () => ({ headers: { 'content-type': 'text/event-stream' }, chunks, end }));

describe('the settlement of a request', () => {
  test('a served request settles its usage once', async () => {
    expect((await gateway.chat(key)).status).toBe(200);
    await settlesTo(USED);
  });

  test('a stream with a usage report settles its usage once', async () => {
    stream(chatStream('gpt-4o-mini', true));
    await gateway.chat(key, { stream: true, stream_options: { include_usage: true } });
    await settlesTo(USED);
  });

  test('a stream without a usage report settles the estimate of the tokenizer once', async () => {
    stream(chatStream('gpt-4o-mini', false));
    await gateway.chat(key, { stream: true });
    await settlesTo(someTokens);
    const { tokens, input_tokens: input, output_tokens: output } = await figures('used');
    expect(Number(input) + Number(output)).toBe(tokens);
    const quota = () => gateway.admin('GET', `/admin/api-keys/${key.id}/quota`);
    await untilPasses(async () =>
      expect((await quota()).body).toMatchObject({ current: { month: { token_count: tokens } } }),
    );
  });

  test('a request that field validation rejects is settled once', async () => {
    expect((await gateway.chat(key, { temperature: 9 })).status).toBe(400);
    await settlesTo({ ...NOTHING, requests: 1 });
  });

  test('a request that fails at the provider is settled once', async () => {
    gateway.upstream.on('POST', PATH, () => ({ status: 500, body: { error: { message: 'Broken.' } } }));
    expect((await gateway.chat(key)).status).toBe(502);
    await settlesTo({ ...NOTHING, requests: 1 });
  });

  test('a response that the provider interrupts is settled once', async () => {
    stream(chatStream('gpt-4o-mini', true).slice(0, 3), 'close');
    await gateway.chat(key, { stream: true }).catch(() => null);
    await settlesTo(someTokens);
  });

  test('a request that the client abandons before the response is settled once', async () => {
    gateway.upstream.on('POST', PATH, () => {});
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, JSON.stringify(CHAT)));
    await gateway.upstream.received(0);
    wire.close();
    // The provider can complete it, so that the reserved output counts.
    await settlesTo({ ...someTokens, output_tokens: 4096 });
  });

  test('a stream that the client abandons is settled once', async () => {
    gateway.upstream.on('POST', PATH, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of chatStream('gpt-4o-mini', true).slice(0, 3)) response.write(chunk);
    });
    const wire = await Wire.open(gateway.port);
    wire.write(chatRequest(key.key, JSON.stringify({ ...CHAT, stream: true })));
    await untilPasses(() => expect(wire.unread).toContain('data:'));
    wire.close();
    await settlesTo(someTokens);
  });

  test('a request on a route without usage is settled once', async () => {
    expect((await gateway.call('GET', '/v1/models', { key })).status).toBe(200);
    await settlesTo({ ...NOTHING, requests: 1 });
  });

  test('a response in a format without usage settles the highest amount once', async () => {
    gateway.upstream.on('POST', '/v1/audio/transcriptions', () => ({
      body: 'Hello.',
      headers: { 'content-type': 'text/plain' },
    }));
    const form = new FormData();
    form.set('model', 'whisper-1');
    form.set('response_format', 'text');
    form.set('file', new Blob([Buffer.alloc(240_000)]), 'a.mp3');
    expect((await gateway.call('POST', '/v1/audio/transcriptions', { key, form })).status).toBe(200);
    // 320 seconds at 6 kbit/s, at $0.006 per minute.
    await settlesTo({ ...someTokens, cost: '0.032' });
  });

  test('requests that are served and rejected at the same time are each settled once', async () => {
    await gateway.admin('PATCH', `/admin/limits/${await limitId('concurrent_requests')}`, { amount: 1000 });
    const served = Array.from({ length: 40 }, () => gateway.chat(key));
    const rejected = Array.from({ length: 20 }, () => gateway.chat(key, { temperature: 9 }));
    await Promise.all([...served, ...rejected]);
    await settlesTo({
      requests: 60,
      concurrent_requests: 0,
      tokens: 480,
      input_tokens: 360,
      output_tokens: 120,
      cost: '0.000126',
    });
  });
});

async function limitId(measure: Measure): Promise<number> {
  const { body } = await gateway.admin<{ limits: Limit[] }>('GET', `/admin/limits?key_id=${key.id}`);
  return body.limits.find((limit) => limit.measure === measure)!.id;
}

describe('a running request', () => {
  const held = () => {
    const open: (() => void)[] = [];
    gateway.upstream.on(
      'POST',
      PATH,
      () =>
        new Promise((resolve) => {
          open.push(() =>
            resolve({
              body: {
                id: 'chatcmpl-1',
                object: 'chat.completion',
                choices: [],
                usage: { prompt_tokens: 9, completion_tokens: 3 },
              },
            }),
          );
        }),
    );
    return { finish: () => open.splice(0).forEach((each) => each()) };
  };

  test('holds its reservation and its place until it ends', async () => {
    const { finish } = held();
    const running = [gateway.chat(key, { max_tokens: 100 }), gateway.chat(key, { max_tokens: 100 })];
    await gateway.upstream.received(1);
    expect(await figures('reserved')).toMatchObject({ concurrent_requests: 2, output_tokens: 200 });
    const third = await gateway.chat(key);
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeLessThanOrEqual(5);
    expect(errorIn(third)).toMatchObject({
      code: 'rate_limit_exceeded',
      message:
        'The concurrent request limit of this API key is exceeded: 0 requests used and 2 requests reserved of 2 requests. ' +
        'This request counts as 1 request. Try again when another request has ended.',
      limit: { scope: 'key', measure: 'concurrent_requests', period: null, amount: 2, reserved: 2, requested: 1 },
    });
    finish();
    await Promise.all(running);
    await settlesTo({ ...USED, requests: 2, tokens: 24, input_tokens: 18, output_tokens: 6, cost: '0.0000063' });
  });

  test('a running request is charged to a limit that is created while it runs', async () => {
    const { finish } = held();
    const running = gateway.chat(key);
    await gateway.upstream.received(0);
    const added = await addLimit('tokens', { period: 'day' });
    finish();
    await running;
    await untilPasses(async () => {
      expect((await gateway.admin<Limit>('GET', `/admin/limits/${added}`)).body).toMatchObject({
        used: 12,
        reserved: 0,
      });
    });
  });
});

describe('a request that limits cannot count', () => {
  test('a request is rejected under a cost limit if its model has no price', async () => {
    const response = await gateway.chat(key, { model: 'acme-custom-1' });
    expect([response.status, errorIn(response).code, errorIn(response).param]).toEqual([
      403,
      'model_not_priced',
      'model',
    ]);
    expect(gateway.upstream.requests).toEqual([]);
    await settlesTo(NOTHING);
  });

  test('a request is rejected if it runs in the background', async () => {
    const body = { model: 'gpt-4o', input: 'Hello', background: true };
    const response = await gateway.call('POST', '/v1/responses', { key, body });
    expect(response.status).toBe(400);
    expect(errorIn(response).message).toBe(
      "Invalid value for 'background': it must be false, because this API key has a token or cost limit and background " +
        'responses cannot be metered.',
    );
    await settlesTo({ ...NOTHING, requests: 1 });
  });

  test('a request is rejected if it runs an assistant', async () => {
    const body = { assistant_id: 'asst_1', model: 'gpt-4o' };
    const response = await gateway.call('POST', '/v1/threads/thread_1/runs', { key, body });
    expect([response.status, errorIn(response).code]).toEqual([403, 'usage_not_metered']);
    await settlesTo(NOTHING);
  });
});
