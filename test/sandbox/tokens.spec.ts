import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { countTokens, tokensOf } from '../../sandbox/src/simulation/tokens.js';
import { anyText } from '../support/any-text.js';

describe('the tokens of the sandbox', () => {
  test('join to the text and are counted as they are cut, whatever the text', () => {
    const text = fc.oneof(anyText(), fc.stringMatching(/^[a-z \n\t,.]*$/));

    fc.assert(
      fc.property(text, (value) => {
        expect(tokensOf(value).join('')).toBe(value);
        expect(countTokens(value)).toBe(tokensOf(value).length);
      }),
    );
  });

  test('are words, long ones in pieces, and signs', () => {
    expect(tokensOf('Hello, extraordinary  day! ')).toEqual(['Hello', ',', ' extraord', 'inary', '  day', '!', ' ']);
  });
});
