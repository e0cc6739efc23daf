import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { countTokens, tokensOf } from '../../sandbox/src/simulation/tokens.js';
import { anyText } from '../support/any-text.js';

describe('sandbox tokens', () => {
  test('tokens join to the original text, and their count matches', () => {
    const text = fc.oneof(anyText(), fc.stringMatching(/^[a-z \n\t,.]*$/));

    fc.assert(
      fc.property(text, (value) => {
        expect(tokensOf(value).join('')).toBe(value);
        expect(countTokens(value)).toBe(tokensOf(value).length);
      }),
    );
  });

  test('words, pieces of long words, and signs are tokens', () => {
    expect(tokensOf('Hello, extraordinary  day! ')).toEqual(['Hello', ',', ' extraord', 'inary', '  day', '!', ' ']);
  });
});
