import { describe, expect, test } from '@jest/globals';
import { compileClause, compilePattern, exactNames, isBounded } from '../../../src/costs/pricing/match-clause.rules.js';

describe('isBounded', () => {
  test.each([
    '^o[134]',
    '^gpt-5\\.6-luna-\\d{4}-\\d{2}-\\d{2}$',
    '^(?!.*-[tT][tT][sS](?:$|-))',
    '^(?![^/]+/)(?:labs-)?(?:mi|code)stral',
    'https://(.*\\.)?googleapis\\.com',
    '(https?://)?([^.]*\\.)?(?:openai\\.azure\\.com|azure-api\\.net)',
    '[\\]*+]+x',
    '\\(a\\)+',
  ])('accepts %s', (source) => expect(isBounded(source)).toBe(true));

  test.each([
    ['a repeated group with a repetition', '(a+)+$'],
    ['a repeated group with alternatives', '(a|a)*$'],
    ['a repeated group that does not capture', '(?:a?)+'],
    ['a repeated lookahead', '(?=a)*'],
    ['a group with a count', '(a{1,9}){1,9}'],
    ['a group with an open count', '(a){2,}'],
    ['three repetitions without an upper bound', 'a*b*c*d'],
    ['three open counts', 'a{1,}b{1,}c{1,}'],
    ['a backreference', '(a)\\1'],
    ['a named backreference', '(?<x>a)\\k<x>'],
    ['a class that does not end', '[a'],
    ['a trailing backslash', 'a\\'],
  ])('rejects %s', (_name, source) => {
    expect(isBounded(source)).toBe(false);
    expect(() => compilePattern(source)).toThrow(/could take exponential time/);
  });
});

describe('compileClause', () => {
  const matches = (clause: Parameters<typeof compileClause>[0], name: string) => compileClause(clause)(name);

  test.each([
    [{ equals: 'GPT-5' }, 'gpt-5', true],
    [{ equals: 'gpt-5' }, 'gpt-5x', false],
    [{ starts_with: 'GPT-' }, 'gpt-5', true],
    [{ starts_with: 'gpt-' }, 'xgpt-5', false],
    [{ ends_with: '-FREE' }, 'a-free', true],
    [{ ends_with: '-free' }, 'a-free-b', false],
    [{ contains: 'Claude' }, 'us.claude-x', true],
    [{ contains: 'claude' }, 'claud', false],
    [{ regex: '^o[134]' }, 'o3-mini', true],
    [{ regex: '^o[134]' }, 'o2', false],
    [{ or: [{ equals: 'a' }, { equals: 'b' }] }, 'b', true],
    [{ or: [] }, 'a', false],
    [{ and: [{ contains: 'a' }, { contains: 'b' }] }, 'ba', true],
    [{ and: [{ contains: 'a' }, { contains: 'b' }] }, 'a', false],
  ])('matches %j with %s as %s', (clause, name, expected) => expect(matches(clause, name)).toBe(expected));
});

test('exactNames returns the names of alternatives, but not those that need another condition', () => {
  const clause = { or: [{ equals: 'A' }, { or: [{ equals: 'b' }] }, { and: [{ equals: 'c' }] }, { starts_with: 'd' }] };
  expect(exactNames(clause)).toEqual(['a', 'b']);
});
