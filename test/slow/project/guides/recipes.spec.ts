import { afterEach, describe, expect, test } from '@jest/globals';
import type { Key } from '../../../support/gateway.js';
import { until } from '../../../support/until.js';
import { GuideGateway } from './guide-gateway.js';
import { GuidePage } from '../../../project/guides/guide-page.js';
import type { Vendor } from '../../../project/guides/vendor-provider.js';
import { ANTHROPIC, AZURE, OPENAI, VLLM } from '../../../project/guides/vendors.data.js';

const PAGE = new GuidePage('recipes');
const OPEN_VLLM: Vendor = { ...VLLM, apis: ['openai'], credentialIn: null };
const LIMITED = {
  status: 429,
  headers: { 'retry-after': '30' },
  body: { error: { code: '429', message: 'Too many' } },
};

let guided: GuideGateway;
let key: Key;
afterEach(() => guided.stop());

/** @param heading the section of the recipe */
async function start(heading: string, vendors: Readonly<Record<string, Vendor>>): Promise<void> {
  const section = PAGE.text.slice(PAGE.text.indexOf(`\n## ${heading}\n`));
  const file = PAGE.files.find((text) => section.startsWith(text, section.indexOf('```yaml\n') + '```yaml\n'.length));
  guided = await GuideGateway.start(file!, vendors);
  key = await guided.gateway.createKey();
}

const ask = (model: string, fields: object = {}) => guided.gateway.chat(key, { model, ...fields });

/** Returns the name of the upstream that responded. */
async function servedBy(model: string, fields: object = {}): Promise<string | null> {
  const response = await ask(model, fields);
  expect(response.status).toBe(200);
  return response.headers.get('x-gw-upstream');
}

describe('Two regions', () => {
  const REGIONS = { 'azure-sweden': AZURE, 'azure-france': AZURE };

  test('the second region serves while the first is limited', async () => {
    await start('Two regions', REGIONS);
    expect(await servedBy('gpt-5-mini')).toBe('azure-sweden');
    guided.provider('azure-sweden').override = LIMITED;
    expect(await servedBy('gpt-5-mini')).toBe('azure-france');
    // The gateway does not use the first one again before `Retry-After`.
    expect(await servedBy('gpt-5-mini')).toBe('azure-france');
    expect(guided.counts).toEqual({ 'azure-sweden': 2, 'azure-france': 2 });
  });

  test('the second region serves while the first is unreachable', async () => {
    await start('Two regions', REGIONS);
    await guided.provider('azure-sweden').server.stop();
    expect(await servedBy('gpt-5-mini')).toBe('azure-france');
  });
});

test('Reserved capacity first: a full reservation moves requests, and other models skip it', async () => {
  await start('Reserved capacity first', { reserved: { ...AZURE, runs: ['gpt-5-mini'] }, 'pay-as-you-go': AZURE });
  expect(await servedBy('gpt-5-mini')).toBe('reserved');
  guided.provider('reserved').override = LIMITED;
  expect(await servedBy('gpt-5-mini')).toBe('pay-as-you-go');
  guided.provider('reserved').override = null;
  expect(await servedBy('gpt-4o')).toBe('pay-as-you-go');
  expect(guided.counts).toEqual({ reserved: 2, 'pay-as-you-go': 2 });
});

test('Migration with weights: one request in ten goes to the new account', async () => {
  await start('Migration with weights', { old: OPENAI, new: OPENAI });
  for (let sent = 0; sent < 400; sent += 50) await Promise.all(Array.from({ length: 50 }, () => ask('gpt-5-mini')));
  // Six standard deviations around 40.
  expect(guided.counts['new']).toBeGreaterThan(4);
  expect(guided.counts['new']).toBeLessThan(76);
  expect(guided.counts['old']! + guided.counts['new']!).toBe(400);
  guided.provider('new').override = LIMITED;
  const responses = await Promise.all(Array.from({ length: 50 }, () => ask('gpt-5-mini')));
  expect(new Set(responses.map(({ headers }) => headers.get('x-gw-upstream')))).toEqual(new Set(['old']));
});

test('One name for changing models: each upstream gets its own model', async () => {
  await start('One name for changing models', { openai: OPENAI, vllm: OPEN_VLLM });
  expect(await servedBy('fast')).toBe('vllm');
  guided.provider('vllm').override = LIMITED;
  expect(await servedBy('fast')).toBe('openai');
  const sent = ['vllm', 'openai'].map((name) => guided.provider(name).calls.map((call) => call.json()['model']));
  expect(sent).toEqual([['qwen3-8b', 'qwen3-8b'], ['gpt-5-mini']]);
  const restricted = await guided.gateway.createKey({ allowed_models: ['gpt-5-mini'] });
  guided.provider('vllm').override = null;
  const response = await guided.gateway.chat(restricted, { model: 'fast' });
  expect([response.status, response.headers.get('x-gw-upstream')]).toEqual([200, 'openai']);
});

test('OpenAI and Anthropic together: the path and the model decide the upstream', async () => {
  await start('OpenAI and Anthropic together', { openai: OPENAI, anthropic: ANTHROPIC });
  const body = { model: 'claude-sonnet-4-5-20250929', max_tokens: 8, messages: [{ role: 'user', content: 'Hello' }] };
  const message = await guided.gateway.call('POST', '/v1/messages', { key, body });
  expect([message.status, message.headers.get('x-gw-upstream')]).toEqual([200, 'anthropic']);
  expect(await servedBy('gpt-5-mini')).toBe('openai');
  const list = await guided.gateway.call<{ data: { id: string }[] }>('GET', '/v1/models', { key });
  const ids = list.body.data.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(['gpt-5-mini', 'claude-sonnet-4-5-20250929']));
});

describe('Sticky conversations and maintenance', () => {
  const SERVERS = { 'vllm-a': OPEN_VLLM, 'vllm-b': OPEN_VLLM };
  const turn = (conversation: number, text: string) => ({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: `Question ${conversation}` },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: text },
    ],
  });

  test('each conversation stays at one server, and both servers get conversations', async () => {
    await start('Sticky conversations', SERVERS);
    const servers = new Set<string | null>();
    for (let conversation = 0; conversation < 20; conversation++) {
      const server = await servedBy('qwen3-8b', turn(conversation, 'First'));
      for (const text of ['Second', 'Third']) expect(await servedBy('qwen3-8b', turn(conversation, text))).toBe(server);
      servers.add(server);
    }
    expect(servers).toEqual(new Set(['vllm-a', 'vllm-b']));
  });

  test('a draining server gets no new requests until it is resumed', async () => {
    await start('Sticky conversations', SERVERS);
    const { gateway } = guided;
    expect(PAGE.text).toContain('upstream drain vllm-a\n');
    expect((await gateway.admin('POST', '/admin/upstreams/vllm-a/drain')).status).toBe(200);
    for (let conversation = 0; conversation < 10; conversation++)
      expect(await servedBy('qwen3-8b', turn(conversation, 'First'))).toBe('vllm-b');
    expect((await gateway.admin('POST', '/admin/upstreams/vllm-b/drain')).status).toBe(200);
    expect((await ask('qwen3-8b')).status).toBe(503);
    for (const name of ['vllm-a', 'vllm-b']) await gateway.admin('POST', `/admin/upstreams/${name}/resume`);
    let conversation = 0;
    await until(async () => (await servedBy('qwen3-8b', turn(conversation++, 'First'))) === 'vllm-a');
  });
});
