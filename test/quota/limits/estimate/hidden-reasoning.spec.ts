import { describe, expect, test } from '@jest/globals';
import { asksForReasoning, HiddenReasoning } from '../../../../src/quota/limits/estimate/hidden-reasoning.service.js';
import { ModelRegistry } from '../../../../src/model-policy/registry/model-registry.js';

const reasoning = new HiddenReasoning(new ModelRegistry());

describe('hidden reasoning', () => {
  test.each([
    'o1',
    'o3-mini',
    'o4-mini',
    'gpt-5',
    'gpt-5.4-nano',
    'gpt-6',
    'openai/o3',
    'gemini-2.5-pro',
    'x-ai/grok-4',
    'claude-fable-5',
    'claude-opus-5',
    'anthropic/claude-sonnet-5',
    'claude-mythos-preview',
    // A deployment or a model that nobody knows.
    'my-deployment',
    'azure/gpt-4o',
    '',
  ])('hidden reasoning is possible without asking for it: %s', (model) => {
    expect(reasoning.isPossible([model], false)).toBe(true);
  });

  test.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-3.5-turbo',
    'claude-3-5-sonnet-20241022',
    'claude-3-haiku-20240307',
    'gemini-2.0-flash',
    'meta-llama/llama-3.3-70b-instruct',
    'mistral-large-latest',
    'command-r-plus',
    // All of their reasoning arrives.
    'deepseek-r1',
    'deepseek-reasoner',
    'magistral-medium-2506',
    'qwen3-235b-a22b-thinking-2507',
  ])('hidden reasoning is not possible, even if it is asked for: %s', (model) => {
    expect(reasoning.isPossible([model], true)).toBe(false);
  });

  test.each([
    'claude-3-7-sonnet-20250219',
    'anthropic/claude-3.7-sonnet',
    'claude-sonnet-4-5',
    'claude-opus-4-20250514',
    'claude-4-opus-20250514',
    'claude-haiku-4-5-20251001',
    'claude-opus-4.6',
  ])('hidden reasoning is possible if the request asks for it: %s', (model) => {
    expect([false, true].map((asked) => reasoning.isPossible([model], asked))).toEqual([false, true]);
  });

  test('hidden reasoning is possible if one of several models can hide it, or if no model is named', () => {
    expect(reasoning.isPossible(['gpt-4o', 'o3'], false)).toBe(true);
    expect(reasoning.isPossible([], false)).toBe(true);
  });

  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, true],
    [{ thinking: { type: 'disabled' } }, false],
    [{ reasoning_effort: 'low' }, true],
    [{ reasoning: {} }, true],
    [{ output_config: { effort: 'max' } }, true],
    [{ thinking: null }, false],
    [{ messages: [] }, false],
    [null, false],
  ])('a request asks for reasoning with the field of any vendor: %j', (json, asked) => {
    expect(asksForReasoning(json)).toBe(asked);
  });
});
