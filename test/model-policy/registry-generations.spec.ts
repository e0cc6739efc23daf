import { describe, expect, test } from '@jest/globals';
import { ModelRegistry } from '../../src/model-policy/registry/model-registry.js';

const registry = new ModelRegistry();
const own = ['/v1/chat/completions', '/v1/completions', '/v1/responses'];
const messages = ['/v1/chat/completions', '/v1/completions', '/v1/messages'];
const speech = ['/v1/audio/speech'];

describe('models of a later generation', () => {
  test.each([
    ['gpt-6', 'gpt-5'],
    ['openai/gpt-6', 'gpt-5'],
    ['gpt-6.1-sol', 'gpt-5'],
    ['gpt-6-2026-10-01', 'gpt-5'],
    ['gpt-6-mini', 'gpt-5-mini'],
    ['gpt-6-nano', 'gpt-5-nano'],
    ['gpt-6-codex', 'gpt-5-codex'],
    ['gpt-6-pro', 'gpt-5-pro'],
    ['ft:gpt-6:acme::1', 'gpt-5'],
    ['gpt-6-transcribe', 'gpt-4o-transcribe'],
    ['gpt-6-tts', 'gpt-4o-mini-tts'],
    ['gpt-6-realtime', 'gpt-realtime'],
    ['gpt-6-image', 'gpt-image-1'],
    ['gpt-image-2.6-flare', 'gpt-image-1'],
    ['gpt-realtime-2', 'gpt-realtime'],
    ['o5', 'o3'],
    ['o5-mini', 'o4-mini'],
    ['text-embedding-4-large', 'text-embedding-3-large'],
    ['text-embedding-5', 'text-embedding-3-large'],
    ['claude-sonnet-5', 'claude-opus-4-1'],
    ['claude-haiku-5-20261001', 'claude-opus-4-1'],
    ['gemini-4-flash', 'gemini-2.5-pro'],
    ['gemma-5-27b', 'gemma-4'],
    ['llama-5-scout', 'llama-4-scout'],
    ['meta-llama/llama-5-70b', 'llama-4-scout'],
    ['deepseek-v5', 'deepseek-v4'],
    ['grok-5-fast', 'grok-4-fast'],
    ['grok-4.20', 'grok-4'],
    ['qwen4', 'qwen3.7'],
    ['qwen4-max', 'qwen3.7-max'],
    ['qwen3.8-plus', 'qwen3.7-plus'],
    ['text-embedding-v5', 'text-embedding-v4'],
  ])('classifies %s like %s', (id, known) => {
    expect(registry.lookup(known)).not.toBeNull();
    expect(registry.lookup(id)).toEqual(registry.lookup(known));
  });

  test.each([
    ['gpt-2', null],
    ['gpt-45', null],
    ['acme/gpt-6', null],
    ['anthropic/gpt-6', null],
    ['text-embedding-005', 'google'],
    ['qwen3-8b', 'qwen'],
    ['qwen3-32b', 'qwen'],
  ])('does not classify %s as a later generation', (id, provider) => {
    expect(registry.lookup(id)?.provider ?? null).toBe(provider);
    if (id.startsWith('qwen3')) expect(registry.lookup(id)).toEqual(registry.lookup('qwen3-235b-a22b'));
  });
});

describe('owners of models that no rule recognizes', () => {
  test('an unrecognized model gets its provider from its owner and its category from its ID', () => {
    expect(registry.lookup('new-name-1', 'openai')).toMatchObject({
      category: 'chat',
      provider: 'openai',
      endpoints: own,
    });
    expect(registry.lookup('new-name-tts', 'openai')).toMatchObject({ category: 'tts', endpoints: speech });
    expect(registry.lookup('new-name-1', 'anthropic')).toMatchObject({ category: 'chat', endpoints: messages });
    expect(registry.lookup('meta-llama/new-name', 'meta')).toMatchObject({ category: 'chat', provider: 'meta' });
    expect(Object.values(registry.lookup('new-name-1', 'openai')!.flags)).not.toContain(true);
  });

  test.each([
    ['sora-2', 'openai'],
    ['omni-moderation-latest', 'openai'],
    ['veo-4', 'google'],
    ['new-video-1', 'openai'],
    ['acme/new-name', 'openai'],
    ['anthropic/new-name', 'openai'],
    ['new-name-1', 'system'],
    ['new-name-1', 'acme'],
    ['new-name-1', undefined],
    ['', 'openai'],
  ])('does not recognize %j owned by %j', (id, owner) => expect(registry.lookup(id, owner)).toBeNull());

  test('the owner does not override what the registry derives from an ID', () => {
    expect(registry.lookup('claude-opus-4-1', 'openai')).toEqual(registry.lookup('claude-opus-4-1'));
    expect(registry.lookup('gpt-4o', 'openai')).toEqual(registry.lookup('gpt-4o'));
  });
});
