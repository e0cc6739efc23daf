import { describe, expect, test } from '@jest/globals';
import { ChatCompletionRequest } from '../../../src/proxy/chat/chat-completion.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';

const strict = compileRules(ChatCompletionRequest);
const lenient = compileRules(ChatCompletionRequest, { lenient: true });
const body = (patch: object) => ({ model: 'm', messages: [{ role: 'user' }], ...patch });
const code = (violation: ReturnType<typeof lenient>) => violation?.code ?? null;

describe('lenient validation', () => {
  test.each<object>([
    { messages: [{ role: 'critic' }] },
    { service_tier: 'priority' },
    { reasoning_effort: 'minimal' },
    { thinking: { type: 'adaptive', budget_tokens: 'free' } },
    { modalities: ['text', 'video'] },
    { audio: { voice: 'robot', format: 'ogg' } },
    { prediction: { type: 'patch', content: 7 } },
    { prediction: { type: 'content', content: [{ type: 'image', text: 7 }] } },
    { function_call: 'required' },
    {
      tools: [
        { type: 'custom', custom: { name: 'any name' } },
        { type: 'function', function: { name: 'f' } },
      ],
    },
    { tool_choice: 'any' },
    { tool_choice: { type: 'allowed_tools', allowed_tools: {} } },
    { response_format: { type: 'grammar', grammar: 7 } },
  ])('accepts a value that strict validation rejects because it is not in a closed list: %j', (patch) => {
    expect(code(strict(body(patch)))).toBe('invalid_value');
    expect(lenient(body(patch))).toBeNull();
  });

  test.each<[object, string]>([
    [{ messages: [{ role: 7 }] }, 'invalid_type'],
    [{ messages: [{}] }, 'missing_required_parameter'],
    [{ messages: [] }, 'invalid_value'],
    [{ temperature: 3 }, 'invalid_value'],
    [{ service_tier: 1 }, 'invalid_type'],
    [{ modalities: [] }, 'invalid_value'],
    [{ modalities: ['audio'] }, 'missing_required_parameter'],
    [{ thinking: { type: 'enabled', budget_tokens: 1 } }, 'invalid_value'],
    [{ thinking: {} }, 'missing_required_parameter'],
    [{ tools: [{ type: 7 }] }, 'invalid_type'],
    [{ tools: [{ type: 'custom' }, { type: 'function', function: { name: 'two words' } }] }, 'invalid_value'],
    [{ user: 'u'.repeat(257) }, 'invalid_value'],
    [{ stream_options: {} }, 'invalid_value'],
    [{ model: 'o1', n: 2 }, 'unsupported_value'],
  ])('checks the types, ranges and required fields of %j', (patch, expected) => {
    expect(code(lenient(body(patch)))).toBe(expected);
  });
});
