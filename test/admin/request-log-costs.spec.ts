import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DataSource } from 'typeorm';
import { until } from '../support/until.js';
import { requestRow, writeRows } from '../support/request-log-rows.js';
import type { Response, Key, TestGateway } from '../support/gateway.js';
import { chatCompletion } from '../support/scripted-upstream-responses.js';
import { startSettledGateway } from '../support/settled-gateway.js';

const CHAT = '/v1/chat/completions';

interface Line {
  readonly kind: string;
  readonly unit: string;
  readonly units: number;
  readonly price: string;
  readonly per: number;
  readonly priced_as: string;
  readonly fallback: boolean;
  readonly factor: object | null;
  readonly amount: string;
}
interface Log {
  readonly usage_source: string | null;
  readonly cost: string | null;
  readonly currency: string;
  readonly cost_details:
    ({ lines: Line[]; unpriced: string[]; price: string | null; estimated: boolean } & Record<string, unknown>) | null;
}

let gateway: TestGateway;
let source: DataSource;
let key: Key;
beforeAll(async () => {
  gateway = await startSettledGateway();
  source = gateway.app.get(DataSource);
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.upstream.reset());

async function logOf({ headers }: Response): Promise<Log> {
  const id = headers.get('x-request-id')!;
  let logs: Log[] = [];
  await until(async () => {
    logs = (await gateway.admin<{ logs: Log[] }>('GET', `/admin/request-logs?request_id=${id}`)).body.logs;
    return logs.length === 1;
  });
  return logs[0]!;
}

describe('cost of a request log', () => {
  test('the lines show each kind with its units, price and amount, and their sum is the cost', async () => {
    const usage = {
      prompt_tokens: 30_946,
      completion_tokens: 11,
      prompt_tokens_details: { cached_tokens: 30_940 },
    };
    gateway.upstream.on('POST', CHAT, () => ({ body: chatCompletion('gpt-4o-mini', usage) }));
    const log = await logOf(await gateway.chat(key));
    const token = { unit: 'token', per: 1_000_000, fallback: false, factor: null, model: null, model_price: null };
    expect(log).toMatchObject({ usage_source: 'reported', cost: '0.002328', currency: 'USD' });
    expect(log.cost_details!.lines).toEqual([
      { ...token, kind: 'input', priced_as: 'input', units: 6, price: '0.15', amount: '0.0000009' },
      { ...token, kind: 'cached_input', priced_as: 'cached_input', units: 30_940, price: '0.075', amount: '0.0023205' },
      { ...token, kind: 'output', priced_as: 'output', units: 11, price: '0.6', amount: '0.0000066' },
    ]);
    expect(log.cost_details).toMatchObject({
      provider: 'default',
      estimated: false,
      unpriced: [],
      unmeasured: [],
      assumed: [],
      corrected: [],
      reasoning_tokens: 0,
      tier_above: null,
      factor: null,
      service_tier: null,
      region: null,
      recomputed_at: null,
      image_assumed: false,
    });
    expect(log.cost_details!.price).toMatch(/^list \S+ openai\/gpt-4o-mini$/);
  });

  test('a request without a price has an unknown cost, and names the kinds that need a price', async () => {
    gateway.upstream.on('POST', CHAT, () => ({ body: chatCompletion('acme-custom-1') }));
    const log = await logOf(await gateway.chat(key, { model: 'acme-custom-1' }));
    expect(log.cost).toBeNull();
    expect(log.cost_details).toMatchObject({ price: null, lines: [] });
    expect(log.cost_details!.unpriced).toEqual(expect.arrayContaining(['input', 'output']));
  });

  test('an estimated request is marked', async () => {
    gateway.upstream.on('POST', CHAT, () => ({ body: { ...chatCompletion('gpt-4o-mini'), usage: undefined } }));
    const log = await logOf(await gateway.chat(key));
    expect(log).toMatchObject({ usage_source: 'estimated', cost_details: { estimated: true } });
    expect(Number(log.cost)).toBeGreaterThan(0);
  });

  test('a rejected request has neither a cost nor details', async () => {
    const log = await logOf(await gateway.chat(key, { model: 'no-such-model' }));
    expect(log).toMatchObject({ cost: null, cost_details: null });
  });

  test('a list has the costs too, and amounts above 2^53 nano-dollars are exact', async () => {
    const other = await gateway.createKey();
    const lines = [{ kind: 'images', units: 3, price: 9_007_199_254_740_991, per: 1_000_000 }];
    await writeRows(source, [
      requestRow(other.id, Date.now(), {
        costNanos: '9223372036854775807',
        cost: JSON.stringify({ provider: 'default', price: 'operator x', unpriced: [], lines }),
      }),
    ]);
    const { body } = await gateway.admin<{ logs: Log[] }>('GET', `/admin/request-logs?key_id=${other.id}`);
    expect(body.logs[0]).toMatchObject({ cost: '9223372036.854775807' });
    expect(body.logs[0]!.cost_details!.lines[0]).toMatchObject({ unit: 'image', amount: '27.021597764222973' });
  });
});
