import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { Response, Key, TestGateway } from '../../support/gateway.js';
import { RESPONSE, MESSAGE } from '../../support/message-responses.js';
import { startGateway } from '../../support/ready-gateway.js';
import { chatCompletion } from '../../support/scripted-upstream-responses.js';
import { until } from '../../support/until.js';

const CHAT = '/v1/chat/completions';
const MODEL = 'gpt-4o-mini';
/** $0.15 and $0.60 per million tokens: 9 × 150 + 3 × 600 nano-dollars. */
const COST = '0.00000315';

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await startGateway({ GW_COST_HEADER: 'true' });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  gateway.upstream.reset();
  key = await gateway.createKey();
});

const costIn = ({ headers }: Response) => headers.get('x-gw-cost');
const respondWith = (usage: object | undefined, model = MODEL) =>
  gateway.upstream.on('POST', CHAT, () => ({ body: { ...chatCompletion(model), usage } }));

interface Recorded {
  readonly nanos: string | null;
  readonly daily: string;
  readonly requests: number;
}

/** The stored cost of the only request of `key`. */
async function recordedOf({ id }: Key): Promise<Recorded> {
  const source = gateway.app.get(DataSource);
  let rows: Recorded[] = [];
  await until(async () => {
    rows = await source.query<Recorded[]>(
      `select l.cost_nanos as nanos, d.cost_nanos as daily, d.requests::int
         from request_logs l join cost_daily d using (key_id) where key_id = $1`,
      [id],
    );
    return rows.length > 0;
  });
  expect(rows).toHaveLength(1);
  return rows[0]!;
}
const recorded = (dollars: string) => {
  const nanos = String(Math.round(Number(dollars) * 1e9));
  return { nanos, daily: nanos, requests: 1 };
};

describe('X-GW-Cost', () => {
  test('a buffered response has the cost that is recorded', async () => {
    expect(costIn(await gateway.chat(key))).toBe(COST);
    expect(await recordedOf(key)).toEqual(recorded(COST));
  });

  test('parts of a nano-dollar are rounded up in the header as in the record', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 1 } };
    respondWith(usage, 'gemini-1.5-flash');
    // $0.01875 per million tokens.
    expect(costIn(await gateway.chat(key))).toBe('0.000000019');
    expect(await recordedOf(key)).toEqual(recorded('0.000000019'));
  });

  test('a message has the cost of its cache reads and writes', async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 20, output_tokens: 4 };
    gateway.upstream.on('POST', '/v1/messages', () => ({ body: { ...RESPONSE, usage } }));
    const response = await gateway.call('POST', '/v1/messages', { key, body: MESSAGE });
    // $0.25, $0.03, $0.30 and $1.25 per million: 2,500 + 3,000 + 6,000 + 5,000.
    expect(costIn(response)).toBe('0.0000165');
    expect(await recordedOf(key)).toEqual(recorded('0.0000165'));
  });

  test('the size and quality that a request asks for decide the price of its images', async () => {
    const images = '/v1/images/generations';
    gateway.upstream.on('POST', images, () => ({ body: { created: 1, data: [{ url: 'https://x' }] } }));
    const body = { model: 'dall-e-3', prompt: 'A tree', size: '1024x1792', quality: 'hd' };
    const response = await gateway.call('POST', images, { key, body });
    expect([costIn(response), (await recordedOf(key)).nanos]).toEqual(['0.12', '120000000']);
  });

  test('a converted completion has X-GW-Cost too', async () => {
    const body = { model: MODEL, prompt: 'Hello' };
    expect(costIn(await gateway.call('POST', '/v1/completions', { key, body }))).toBe(COST);
    expect(await recordedOf(key)).toEqual(recorded(COST));
  });

  test.each<[string, object | undefined, string]>([
    ['a model without a price', { prompt_tokens: 9, completion_tokens: 3 }, 'acme-custom-1'],
    ['usage that is still being estimated', undefined, MODEL],
  ])('%s leaves the header out', async (_case, usage, model) => {
    respondWith(usage, model);
    expect(costIn(await gateway.chat(key, { model }))).toBeNull();
  });

  test('a stream, an error and a response without a provider have no X-GW-Cost', async () => {
    const stream = await gateway.chat(key, { stream: true, stream_options: { include_usage: true } });
    gateway.upstream.on('POST', CHAT, () => ({ status: 500, body: { error: { message: 'no' } } }));
    const error = await gateway.chat(key);
    const usage = await gateway.call('GET', '/v1/usage', { key });
    expect([stream, error, usage].map((response) => [response.status, costIn(response)])).toEqual([
      [200, null],
      [502, null],
      [200, null],
    ]);
  });

  test('a 200 response that contains an error keeps its error code, and has no cost', async () => {
    gateway.upstream.on('POST', CHAT, () => ({ body: { error: { message: 'broken', type: 'server_error' } } }));
    const response = await gateway.chat(key);
    expect([response.status, costIn(response)]).toEqual([200, null]);
  });

  test('browser pages can read X-GW-Cost', async () => {
    const { headers } = await gateway.chat(key, {}, { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-expose-headers')!.split(', ')).toContain('x-gw-cost');
  });
});

test('without the setting, no response has X-GW-Cost', async () => {
  const plain = await startGateway({}, { upstream: gateway.upstream });
  try {
    expect(costIn(await plain.chat(await plain.createKey()))).toBeNull();
  } finally {
    await plain.stop();
  }
});
