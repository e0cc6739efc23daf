import { Linter } from 'eslint';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error The tools are plain JavaScript.
import plugin from '../../../tools/prose/eslint-plugin.js';
// @ts-expect-error The tools are plain JavaScript.
import { faultsOf } from '../../../tools/prose/prose.js';

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
const faults = (text: string): string[] => faultsOf(text, { sentenceWords: 25, paragraphWords: 60 });

describe('the prose rules', () => {
  test('the rules accept plain English', () => {
    expect(faults('Returns the request ID. The gateway retries failed deliveries.')).toEqual([]);
  });

  test.each([
    ['The body is written anew.', 'again'],
    ['The key is no UUID.', 'is not a'],
    ['What fails is tried again.', 'start with the noun'],
    ['Of a message the field is removed.', 'start with the subject'],
  ])('the rules report the wording of %j', (text, remedy) => {
    expect(faults(text)).toEqual([expect.stringContaining(remedy)]);
  });

  test('the rules report a sentence and a paragraph that are one word too long', () => {
    expect(faults(`Word ${words(24)}.`)).toEqual([]);
    expect(faults(`Word ${words(25)}.`)).toEqual([expect.stringContaining('26 words')]);
    const sentences = (count: number) => Array.from({ length: count }, () => `Word ${words(19)}.`).join(' ');
    expect(faults(sentences(3))).toEqual([]);
    expect(faults(`${sentences(3)} End.`)).toEqual([expect.stringContaining('61 words')]);
  });

  test('the rules count a code span as one word and ignore its content', () => {
    expect(faults('Use `npm run anew whoever` first.')).toEqual([]);
  });
});

describe('the ESLint plugin', () => {
  const lint = (code: string) =>
    new Linter()
      .verify(code, [
        {
          plugins: { prose: plugin },
          rules: { 'prose/comments': 'error', 'prose/messages': 'error', 'prose/test-titles': 'error' },
        },
      ])
      .map(({ ruleId, line }) => [ruleId, line]);

  test('reports line comments, block comments and test titles at their line', () => {
    const code = [
      '// Writes it',
      '// anew.',
      'let a;',
      '/** Whoever',
      ' * reads it. */',
      'let b;',
      "test('is no key', f);",
    ];
    expect(lint(code.join('\n'))).toEqual([
      ['prose/comments', 1],
      ['prose/comments', 4],
      ['prose/test-titles', 7],
    ]);
  });

  test('reports titles of tables and of nested calls', () => {
    const code = ["describe.each([1])('is none', f);", "test.skip('is none', f);", 'test(`is none ${a}`, f);'];
    expect(lint(code.join('\n'))).toHaveLength(3);
  });

  test('reports messages', () => {
    expect(lint("fail('The key is no UUID.');\nlog(`The key ${id} is none of this gateway.`);")).toEqual([
      ['prose/messages', 1],
      ['prose/messages', 2],
    ]);
  });

  test('accepts a message that continues a sentence', () => {
    expect(lint("const end = 'of the requests that were admitted';")).toEqual([]);
  });

  test('ignores short strings, SQL statements and directives', () => {
    expect(lint("// prettier-ignore anew\nlog('is none');\nquery('select anew from t where told');")).toEqual([]);
  });
});
