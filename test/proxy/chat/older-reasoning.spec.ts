import { describe, expect, test } from '@jest/globals';
import { ChatCompletionRequest } from '../../../src/proxy/chat/chat-completion.dto.js';
import { compileRules } from '../../../src/platform/validation/body-rules.js';

const rules = compileRules(ChatCompletionRequest);
const violationOf = (patch: object) => {
  const violation = rules({ messages: [{ role: 'user' }], ...patch });
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('older reasoning models', () => {
  test.each(['o1', 'o1-mini', 'o1-preview-2024-09-12', 'openai/o1', 'a/b/o1-pro', 'o1-'])(
    '%s accepts only temperature 1 and n 1',
    (model) => {
      for (const value of [undefined, null, 1]) expect(violationOf({ model, temperature: value, n: value })).toBeNull();
      for (const temperature of [0, 0.99, 2])
        expect(violationOf({ model, temperature })).toBe('unsupported_value temperature');
      for (const n of [2, 9]) expect(violationOf({ model, n })).toBe('unsupported_value n');
      expect(violationOf({ model, temperature: 0, n: 2 })).toBe('unsupported_value temperature');
    },
  );

  test('reports invalid_value for a value that no model accepts', () => {
    expect(violationOf({ model: 'o1', temperature: 0, n: 0 })).toBe('invalid_value n');
    expect(violationOf({ model: 'o1', temperature: 3 })).toBe('invalid_value temperature');
  });

  test.each(['o10', 'o1mini', 'o3', 'gpt-4o1', 'xo1-mini', 'o1/gpt-4o', 'o1-mini/x', 'o1/', 'O1', ''])(
    '%j is not an older reasoning model',
    (model) => expect(violationOf({ model, temperature: 0.5, n: 2 })).toBeNull(),
  );
});
