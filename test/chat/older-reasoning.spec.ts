import { describe, expect, test } from '@jest/globals';
import { ChatCompletionRequest } from '../../src/proxy/chat/chat-completion.request.dto.js';
import { compileRules } from '../../src/validation/compile-rules.js';

const rules = compileRules(ChatCompletionRequest);
const told = (patch: object) => {
  const violation = rules({ messages: [{ role: 'user' }], ...patch });
  return violation === null ? null : `${violation.code} ${violation.param}`;
};

describe('the older reasoning family', () => {
  test.each(['o1', 'o1-mini', 'o1-preview-2024-09-12', 'openai/o1', 'a/b/o1-pro', 'o1-'])(
    '%s takes temperature 1 and one answer',
    (model) => {
      for (const value of [undefined, null, 1]) expect(told({ model, temperature: value, n: value })).toBeNull();
      for (const temperature of [0, 0.99, 2])
        expect(told({ model, temperature })).toBe('unsupported_value temperature');
      for (const n of [2, 9]) expect(told({ model, n })).toBe('unsupported_value n');
      expect(told({ model, temperature: 0, n: 2 })).toBe('unsupported_value temperature');
    },
  );

  test('a value that no model takes is told as such', () => {
    expect(told({ model: 'o1', temperature: 0, n: 0 })).toBe('invalid_value n');
    expect(told({ model: 'o1', temperature: 3 })).toBe('invalid_value temperature');
  });

  test.each(['o10', 'o1mini', 'o3', 'gpt-4o1', 'xo1-mini', 'o1/gpt-4o', 'o1-mini/x', 'o1/', 'O1', ''])(
    '%j is none of them',
    (model) => expect(told({ model, temperature: 0.5, n: 2 })).toBeNull(),
  );
});
