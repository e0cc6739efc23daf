import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { Findings } from '../../../src/cli/litellm/finding.js';
import { parseConfig, readConfig } from '../../../src/cli/litellm/litellm-config.rules.js';
import { upstreamsOf } from '../../../src/cli/litellm/litellm-upstreams.rules.js';
import { cli } from '../command.js';

function imported(yaml: string, env: NodeJS.ProcessEnv = {}) {
  const findings = new Findings();
  const { file, idsOf } = upstreamsOf(readConfig([parseConfig(yaml)], findings), env, findings);
  return { file, idsOf: Object.fromEntries(idsOf), findings: findings.all };
}

const AZURE = `
model_list:
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt-4o-eu, api_base: https://eu.openai.azure.com/, api_key: os.environ/AZURE_EU, api_version: "2024-10-21", rpm: 6_000 }
  - model_name: gpt-4o
    litellm_params: { model: azure/gpt-4o-us, api_base: https://us.openai.azure.com, api_key: os.environ/AZURE_US, rpm: 2_000 }
  - model_name: gpt-4o-mini
    litellm_params: { model: azure/gpt-4o-mini, api_base: https://eu.openai.azure.com, api_key: os.environ/AZURE_EU }
`;

describe('deployments', () => {
  test('deployments of one account become one upstream, and those of one name a route with their shares', () => {
    expect(imported(AZURE).file).toEqual({
      upstreams: [
        {
          name: 'azure',
          base_url: 'https://eu.openai.azure.com/openai/v1',
          credential: { env: 'AZURE_EU', header: 'api-key' },
          models: ['gpt-4o-mini'],
          aliases: { 'gpt-4o': 'gpt-4o-eu' },
        },
        {
          name: 'azure-2',
          base_url: 'https://us.openai.azure.com/openai/v1',
          credential: { env: 'AZURE_US', header: 'api-key' },
          models: [],
          aliases: { 'gpt-4o': 'gpt-4o-us' },
        },
      ],
      routes: [
        {
          models: 'gpt-4o',
          upstreams: [
            { name: 'azure', weight: 1000 },
            { name: 'azure-2', weight: 333 },
          ],
        },
      ],
    });
  });

  test('an alias that names another alias, and a second model with one name, get an upstream of their own', () => {
    const { file } = imported(`
model_list:
  - { model_name: gpt-4o, litellm_params: { model: openai/gpt-4o-2024-11-20 } }
  - { model_name: best, litellm_params: { model: openai/gpt-4o } }
  - { model_name: best, litellm_params: { model: openai/gpt-5 } }
router_settings: { routing_strategy: cost-based-routing }
`);
    expect(file.upstreams.map(({ name, models, aliases }) => [name, models, aliases])).toEqual([
      ['openai', [], { 'gpt-4o': 'gpt-4o-2024-11-20', best: 'gpt-5' }],
      ['openai-2', [], { best: 'gpt-4o' }],
    ]);
    expect(file.routes).toEqual([{ models: 'best', upstreams: ['openai-2', 'openai'], strategy: 'price' }]);
  });

  test('names of groups and fallback models for rejected contents are imported', () => {
    const { file, idsOf, findings } = imported(`
model_list:
  - { model_name: small, litellm_params: { model: openai/gpt-4o-mini } }
  - { model_name: large, litellm_params: { model: openai/gpt-4.1 } }
router_settings:
  model_group_alias: { tiny: small, hidden: { model: large, hidden: true }, lost: nothing }
litellm_settings:
  context_window_fallbacks: [{ small: [large, small] }]
  fallbacks: [{ small: [large] }]
`);
    expect(file.upstreams[0]!.aliases).toEqual({
      small: 'gpt-4o-mini',
      large: 'gpt-4.1',
      tiny: 'gpt-4o-mini',
      hidden: 'gpt-4.1',
    });
    expect(file.routes).toEqual([{ models: 'small', upstreams: ['openai'], fallbacks: { context_length: 'large' } }]);
    expect(idsOf).toEqual({ small: ['gpt-4o-mini'], large: ['gpt-4.1'], tiny: ['gpt-4o-mini'], hidden: ['gpt-4.1'] });
    expect(findings.map(({ effect, place }) => [effect, place])).toEqual([
      ['skipped', 'fallbacks "small"'],
      ['changed', 'context_window_fallbacks "small"'],
      ['skipped', 'model_group_alias "lost"'],
    ]);
  });

  test('a pattern serves all models of the account', () => {
    const { file, findings } = imported(`
model_list:
  - { model_name: "openai/*", litellm_params: { model: "openai/*", api_key: os.environ/OPENAI_API_KEY } }
`);
    expect(file).toEqual({
      upstreams: [
        {
          name: 'openai',
          base_url: 'https://api.openai.com/v1',
          credential: { env: 'OPENAI_API_KEY' },
          models: 'catalog',
        },
      ],
    });
    expect(findings).toEqual([expect.objectContaining({ effect: 'changed', place: 'model_list[0] "openai/*"' })]);
  });
});

describe('secrets', () => {
  test('a secret in the file is replaced by a variable, and appears nowhere', () => {
    const { file, findings } = imported(`
model_list:
  - { model_name: a, litellm_params: { model: openai/a, api_key: sk-very-secret-1 } }
  - { model_name: b, litellm_params: { model: openai/b, api_key: sk-very-secret-2, extra_headers: { X-Auth-Token: sk-very-secret-3, X-Team: red } } }
  - { model_name: c, litellm_params: { model: openai/c, api_key: sk-very-secret-1 } }
general_settings: { master_key: sk-very-secret-4 }
`);
    expect(file.upstreams.map(({ credential, headers, models }) => [credential, headers, models])).toEqual([
      [{ env: 'OPENAI_API_KEY_1' }, undefined, ['a', 'c']],
      [{ env: 'OPENAI_API_KEY_2' }, { 'X-Team': 'red' }, ['b']],
    ]);
    expect(JSON.stringify([file, findings])).not.toContain('very-secret');
    expect(findings.filter(({ effect }) => effect === 'action').map(({ place }) => place)).toEqual([
      'model_list[0] "a" api_key',
      'model_list[1] "b" api_key',
      'model_list[1] "b" X-Auth-Token',
      'model_list[2] "c" api_key',
    ]);
  });

  test('credentials by name and base URLs in variables are resolved', () => {
    const yaml = `
credential_list:
  - { credential_name: vllm, credential_values: { api_base: os.environ/VLLM_URL, api_key: os.environ/VLLM_KEY } }
model_list:
  - { model_name: qwen, litellm_params: { model: hosted_vllm/Qwen/Qwen3-8B, litellm_credential_name: vllm } }
  - { model_name: lost, litellm_params: { model: hosted_vllm/x, litellm_credential_name: nothing } }
`;
    const { file, findings } = imported(yaml, { VLLM_URL: 'http://vllm.internal:8000/v1/' });
    expect(file.upstreams).toEqual([
      {
        name: 'hosted-vllm',
        base_url: 'http://vllm.internal:8000/v1',
        credential: { env: 'VLLM_KEY' },
        models: [],
        aliases: { qwen: 'Qwen/Qwen3-8B' },
      },
    ]);
    expect(findings).toEqual([expect.objectContaining({ effect: 'skipped', place: 'model_list[1] "lost"' })]);
    expect(imported(yaml).findings).toContainEqual({
      place: 'model_list[0] "qwen"',
      effect: 'skipped',
      reason: 'Its base URL is in VLLM_URL, which is not set. Set it, and run the import again.',
    });
  });
});

test('the file is valid for the gateway', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'litellm-'));
  const path = join(folder, 'upstreams.yaml');
  await writeFile(path, stringify(imported(AZURE).file));
  const env = { AZURE_EU: 'secret-of-the-eu', AZURE_US: 'secret-of-the-us' };
  expect(await cli(['upstream', 'check', path], { env })).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});

test('fields without a counterpart are reported with their place', () => {
  const { findings } = imported(`
model_list:
  - model_name: a
    litellm_params: { model: openai/a, temperature: 0.2, timeout: 30, aws_region_name: x }
    model_info: { mode: chat, supports_vision: true, input_cost_per_token: 0.1 }
  - { model_name: b, litellm_params: { model: bedrock/b } }
  - { model_name: c, litellm_params: { model: unknown_vendor/c } }
  - { model_name: d }
litellm_settings: { cache: true, drop_params: false, something_new: [1] }
mcp_servers: { wiki: { url: http://x } }
`);
  expect(findings.map(({ effect, place }) => `${effect} ${place}`).sort()).toEqual(
    [
      'skipped litellm_settings.cache',
      'skipped litellm_settings.something_new',
      'skipped mcp_servers',
      'skipped model_list[0] "a" input_cost_per_token',
      'skipped model_list[0] "a" temperature',
      'skipped model_list[0] "a" timeout',
      'skipped model_list[1] "b"',
      'skipped model_list[2] "c"',
      'skipped model_list[3] "d"',
    ].sort(),
  );
  expect(findings.every(({ reason }) => reason.endsWith('.'))).toBe(true);
});

test.each(['', '- a', 'model_list: [', '42'])('content that is not a configuration is rejected: %j', (text) => {
  expect(() => parseConfig(text)).toThrow(/^is not/);
});
