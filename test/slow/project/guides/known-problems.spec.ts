import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ModelCatalog } from '../../../../src/model-policy/catalog.service.js';
import { until } from '../../../support/until.js';
import { GuideGateway } from './guide-gateway.js';
import { GuidePage } from '../../../project/guides/guide-page.js';
import type { Vendor } from '../../../project/guides/vendor-provider.js';
import * as vendors from '../../../project/guides/vendors.data.js';

const OTHER = '  - name: other\n    base_url: https://other.example/v1\n';

let guided: GuideGateway | undefined;
afterEach(async () => {
  await guided?.stop();
  guided = undefined;
});

/** Starts a gateway with a file of a page, in which `change` replaces one text. */
async function start(
  [page, file]: readonly [page: string, file: number],
  given: Readonly<Record<string, Vendor>>,
  change: readonly [from: string, to: string] | null = null,
  env: Record<string, string> = {},
) {
  const text = new GuidePage(page).files[file]!;
  if (change !== null && !text.includes(change[0])) throw new Error(`The file has no ${change[0]}`);
  guided = await GuideGateway.start(change === null ? text : text.replace(...change), given, env);
  const started = guided;
  const key = await started.gateway.createKey();
  const post = (path: string, model: string, fields: object = {}, with_ = key, headers: Record<string, string> = {}) =>
    started.gateway.call<{ error?: { code: string; message: string } }>('POST', path, {
      key: with_,
      headers,
      body: { model, max_tokens: 8, messages: [{ role: 'user', content: 'Hello' }], ...fields },
    });
  return {
    started,
    post,
    chat: (model: string, fields: object = {}, with_ = key) => post('/v1/chat/completions', model, fields, with_),
    message: (model: string, headers: Record<string, string> = {}) => post('/v1/messages', model, {}, key, headers),
  };
}

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code ?? null,
];

describe('Anthropic', () => {
  const ANTHROPIC = { anthropic: vendors.ANTHROPIC };

  test('a chat completion with a Claude model is rejected, with the path to use', async () => {
    const { chat } = await start(['anthropic', 0], ANTHROPIC);
    const response = await chat('claude-sonnet-4-5-20250929');
    expect(outcome(response)).toEqual([400, 'model_endpoint_mismatch']);
    expect(response.text).toContain('/v1/messages');
  });

  test('a name without a date needs an alias', async () => {
    const { message } = await start(['anthropic', 0], ANTHROPIC);
    expect((await message('claude-sonnet-4-5')).status).toBe(403);
    await guided!.stop();
    const [alias] = /aliases: \{ claude.*? \}/.exec(new GuidePage('anthropic').text)!;
    const again = await start(['anthropic', 0], ANTHROPIC, ['apis:', `${alias}\n    apis:`]);
    expect((await again.message('claude-sonnet-4-5')).status).toBe(200);
  });

  test('the version of a client is forwarded, unless the file has one', async () => {
    const { started, message } = await start(['anthropic', 0], ANTHROPIC);
    await message('claude-sonnet-4-5-20250929');
    await message('claude-sonnet-4-5-20250929', { 'anthropic-version': '2023-01-01', 'anthropic-beta': 'a' });
    const calls = started
      .provider('anthropic')
      .calls.map((call) => [call.header('anthropic-version'), call.header('anthropic-beta')]);
    expect(calls).toEqual([
      ['2023-06-01', undefined],
      ['2023-01-01', 'a'],
    ]);
    await guided!.stop();
    const headers = 'headers: { anthropic-version: 2023-05-05, anthropic-beta: b }';
    const again = await start(['anthropic', 0], ANTHROPIC, ['apis:', `${headers}\n    apis:`]);
    await again.message('claude-sonnet-4-5-20250929', { 'anthropic-version': '2023-01-01', 'anthropic-beta': 'a' });
    const [call] = again.started.provider('anthropic').calls;
    expect([call!.header('anthropic-version'), call!.header('anthropic-beta')]).toEqual(['2023-05-05', 'b']);
  });
});

describe('Azure OpenAI', () => {
  const AZURE = { azure: vendors.AZURE };

  test('the v1 API rejects a version that is a date', async () => {
    const query = `query: { api-version: '2024-10-21' }`;
    const { started, chat } = await start(['azure-openai', 0], AZURE, ['region:', `${query}\n    region:`]);
    const response = await chat('gpt-5-mini');
    expect([response.status, started.provider('azure').calls[0]!.path]).toEqual([
      400,
      '/openai/v1/chat/completions?api-version=2024-10-21',
    ]);
  });

  test('with the list as catalog, models that are not deployed return 404, and deployments are unknown', async () => {
    const { chat } = await start(['azure-openai', 0], AZURE, ['models: [gpt-5-mini, gpt-4o]', 'models: catalog']);
    expect((await chat('gpt-4o-2024-08-06')).status).toBe(404);
    expect(outcome(await chat('gpt-5-mini'))).toEqual([403, 'model_not_available']);
  });

  test('the allowed models of a key apply to the deployment, whose kind is unknown', async () => {
    const { started, chat, post } = await start(['azure-openai', 1], AZURE);
    const byModel = await started.gateway.createKey({ allowed_models: ['gpt-5-mini'] });
    const byDeployment = await started.gateway.createKey({ allowed_models: ['team-a-mini'] });
    expect(outcome(await chat('gpt-5-mini', {}, byModel))).toEqual([403, 'model_not_allowed']);
    expect(outcome(await chat('gpt-5-mini', {}, byDeployment))).toEqual([200, null]);
    const response = await post('/v1/responses', 'gpt-5-mini', { input: 'Hello' });
    expect(outcome(response)).toEqual([400, 'model_endpoint_mismatch']);
  });
});

describe('OpenRouter', () => {
  const OPENROUTER = { openrouter: vendors.OPENROUTER };

  test('a variant needs an alias, which a list of models cannot contain', async () => {
    const aliases = "aliases: { gpt-5-mini-fast: 'openai/gpt-5-mini:nitro' }";
    const { chat } = await start(['openrouter', 0], OPENROUTER);
    expect(outcome(await chat('openai/gpt-5-mini:nitro'))).toEqual([403, 'model_not_available']);
    await guided!.stop();
    const again = await start(['openrouter', 0], OPENROUTER, ['apis:', `${aliases}\n    apis:`]);
    expect(outcome(await again.chat('gpt-5-mini-fast'))).toEqual([200, null]);
    const inList = (...models: string[]) => again.chat('openai/gpt-5-mini', { models });
    expect(outcome(await inList('gpt-5-mini-fast'))).toEqual([403, 'model_not_available']);
    expect(outcome(await inList('qwen/qwen3-32b'))).toEqual([200, null]);
  });

  test('each model of a list is checked against the key', async () => {
    const { started, chat } = await start(['openrouter', 0], OPENROUTER);
    const key = await started.gateway.createKey({ allowed_models: ['openai/gpt-5-mini'] });
    const response = await chat('openai/gpt-5-mini', { models: ['qwen/qwen3-32b'] }, key);
    expect(outcome(response)).toEqual([403, 'model_not_allowed']);
  });

  test('a message with a model of another maker is rejected', async () => {
    const { message } = await start(['openrouter', 0], OPENROUTER);
    expect(outcome(await message('qwen/qwen3-32b'))).toEqual([400, 'model_endpoint_mismatch']);
  });

  test('a request fails over when the balance is empty', async () => {
    const text = [
      '      X-Title: Example\n',
      `      X-Title: Example\n${OTHER}    models: [openai/gpt-5-mini]\n`,
    ] as const;
    const { started, chat } = await start(['openrouter', 0], { ...OPENROUTER, other: vendors.OPENAI }, text);
    started.provider('openrouter').override = { status: 402, body: { error: { code: 402, message: 'No credits' } } };
    const response = await chat('openai/gpt-5-mini');
    expect(response.headers.get('x-gw-upstream')).toBe('other');
    expect(started.counts).toEqual({ openrouter: 1, other: 1 });
  });

  test('comments before a stream are forwarded', async () => {
    const { chat } = await start(['openrouter', 0], OPENROUTER);
    expect((await chat('openai/gpt-5-mini', { stream: true })).text).toMatch(/^: OPENROUTER PROCESSING\n\ndata: /);
  });
});

test('Google: with the list as catalog, only names with the prefix are served', async () => {
  const { chat } = await start(['google', 0], { google: vendors.GOOGLE }, [
    /models: .*/.exec(googleFile())![0],
    'models: catalog',
  ]);
  expect(outcome(await chat('gemini-flash-latest'))).toEqual([403, 'model_not_available']);
  expect(outcome(await chat('models/gemini-flash-latest'))).toEqual([200, null]);
});

test('Google: a base URL without its path returns 404', async () => {
  const { chat } = await start(['google', 0], { google: vendors.GOOGLE }, ['/v1beta/openai', '/v1']);
  expect((await chat('gemini-flash-latest')).status).toBe(404);
});

test('Bedrock: the allowed models of a key apply to the ID of Bedrock', async () => {
  const { started, chat } = await start(['bedrock', 0], { bedrock: vendors.BEDROCK });
  const byAlias = await started.gateway.createKey({ allowed_models: ['gpt-oss-120b'] });
  const byId = await started.gateway.createKey({ allowed_models: ['openai.gpt-oss-120b-1:0'] });
  expect(outcome(await chat('gpt-oss-120b', {}, byAlias))).toEqual([403, 'model_not_allowed']);
  expect(outcome(await chat('gpt-oss-120b', {}, byId))).toEqual([200, null]);
});

test('vLLM: messages need the registry entry of the guide, and get the key as a bearer token', async () => {
  const { message } = await start(['vllm', 0], { vllm: vendors.VLLM });
  expect(outcome(await message('qwen3-8b'))).toEqual([400, 'model_endpoint_mismatch']);
  await guided!.stop();
  const folder = mkdtempSync(join(tmpdir(), 'registry-'));
  const path = join(folder, 'registry.json');
  writeFileSync(path, new GuidePage('vllm').blocks('json')[0]!);
  const again = await start(['vllm', 0], { vllm: vendors.VLLM }, null, { GW_MODEL_REGISTRY: path });
  rmSync(folder, { recursive: true });
  expect(outcome(await again.message('qwen3-8b'))).toEqual([200, null]);
  expect(again.started.provider('vllm').calls[0]!.header('x-api-key')).toBeUndefined();
});

describe('Ollama', () => {
  test('without the alias, the name without a tag is rejected', async () => {
    const alias = "    aliases: { llama3.2: 'llama3.2:latest' }\n";
    const { chat } = await start(['ollama', 0], { ollama: vendors.OLLAMA }, [alias, '']);
    expect(outcome(await chat('llama3.2'))).toEqual([403, 'model_not_available']);
    expect(outcome(await chat('llama3.2:latest'))).toEqual([200, null]);
  });

  test('an empty list is read again until it contains a model', async () => {
    const { started, chat } = await start(['ollama', 0], {
      ollama: { ...vendors.OLLAMA, list: () => ({ object: 'list', data: null }) },
    });
    expect((await started.test('ollama')).models).toBeNull();
    started.provider('ollama').override = { body: vendors.OLLAMA.list!(new URLSearchParams()) };
    await until(() => started.gateway.app.get(ModelCatalog).modelsOf('ollama')?.has('llama3.2:latest') === true);
    started.provider('ollama').override = null;
    expect(outcome(await chat('llama3.2:latest'))).toEqual([200, null]);
  });
});

describe('llama.cpp', () => {
  const BOTH = { 'llama-cpp': vendors.LLAMA_CPP, other: vendors.VLLM };
  const WITH_OTHER = [
    'repeat_sent: true\n',
    `repeat_sent: true\n${OTHER}    models: [qwen3-8b]\n    credential: { env: OTHER }\n`,
  ] as const;

  test('while a model is loading, requests move to the next upstream', async () => {
    const { started, chat } = await start(['llama-cpp', 0], BOTH, WITH_OTHER);
    started.provider('llama-cpp').override = vendors.LLAMA_LOADING;
    const response = await chat('qwen3-8b');
    expect(response.headers.get('x-gw-upstream')).toBe('other');
    expect(started.counts).toEqual({ 'llama-cpp': 1, other: 1 });
  });

  test('while all slots are busy, requests go to the next upstream', async () => {
    const { started, chat } = await start(['llama-cpp', 0], BOTH, WITH_OTHER);
    const release = busy(started);
    const waiting = Array.from({ length: 4 }, () => chat('qwen3-8b'));
    await until(() => started.counts['llama-cpp'] === 4);
    expect((await chat('qwen3-8b')).headers.get('x-gw-upstream')).toBe('other');
    release();
    const responses = await Promise.all(waiting);
    expect(responses.map(({ headers }) => headers.get('x-gw-upstream'))).toEqual(Array(4).fill('llama-cpp'));
  });

  test('without another upstream, a request waits for a slot, and then returns 503', async () => {
    const { started, chat } = await start(['llama-cpp', 0], { 'llama-cpp': vendors.LLAMA_CPP });
    const release = busy(started);
    const waiting = Array.from({ length: 4 }, () => chat('qwen3-8b'));
    await until(() => started.counts['llama-cpp'] === 4);
    expect((await chat('qwen3-8b')).status).toBe(503);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('LiteLLM', () => {
  test('models of a wildcard are served only if the file names them', async () => {
    const litellm = { ...vendors.LITELLM, runs: [...vendors.LITELLM.runs, 'openai/gpt-5'] };
    const { chat } = await start(['litellm', 0], { litellm });
    expect(outcome(await chat('openai/gpt-5'))).toEqual([403, 'model_not_available']);
    await guided!.stop();
    const again = await start(['litellm', 0], { litellm }, ['apis:', 'models: [openai/gpt-5]\n    apis:']);
    expect(outcome(await again.chat('openai/gpt-5'))).toEqual([200, null]);
  });

  test('fallbacks in a body are checked against the key', async () => {
    const { started, chat } = await start(['litellm', 0], { litellm: vendors.LITELLM });
    const key = await started.gateway.createKey({ allowed_models: ['gpt-5-mini'] });
    const withFallback = (fallback: string) => chat('gpt-5-mini', { fallbacks: [fallback] }, key);
    expect(outcome(await withFallback('claude-sonnet-4-5'))).toEqual([403, 'model_not_allowed']);
    expect(outcome(await withFallback('gpt-5-mini'))).toEqual([200, null]);
  });
});

function googleFile(): string {
  return new GuidePage('google').files[0]!;
}

/** Keeps all requests of llama.cpp open, and returns a function that answers them. */
function busy(started: GuideGateway): () => void {
  const provider = started.provider('llama-cpp');
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.hold = promise;
  return resolve;
}
