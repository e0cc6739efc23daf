import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stripCredentialParameters } from '../../src/upstream/query-string.js';

describe('stripCredentialParameters', () => {
  test.each([
    ['/files', '/files'],
    ['/files?', '/files?'],
    ['/files&key=x', '/files&key=x'],
    ['/files?limit=2&order=asc', '/files?limit=2&order=asc'],
    ['/files?api_key=x', '/files'],
    ['/files?limit=2&api_key=x&order=asc', '/files?limit=2&order=asc'],
    ['/files?API_KEY=x&ApiKey=y&a=1', '/files?a=1'],
    ['/files?%61pi%5Fkey=x&a=1', '/files?a=1'],
    ['/files?%41PI-key=x&a=1', '/files?a=1'],
    ['/files?token&a=1', '/files?a=1'],
    ['/files?token=a=b&a=1', '/files?a=1'],
    ['/files?tokens=1&keys=2&after=key', '/files?tokens=1&keys=2&after=key'],
    ['/files?a=%zz&&b=%C3%A4+%2B&c', '/files?a=%zz&&b=%C3%A4+%2B&c'],
    ['/files?a=1&&key=x&&b=?&', '/files?a=1&&&b=?&'],
    ['/files?a=http://x/?token=1&b', '/files?a=http://x/?token=1&b'],
  ])('turns %s into %s', (path, expected) => {
    expect(stripCredentialParameters(path)).toBe(expected);
  });

  const names =
    'apikey api_key api-key x-api-key key token access_token auth authorization secret client_secret password passwd pwd';
  test.each(names.split(' '))('removes %s regardless of case and encoding, and leaves the rest unchanged', (name) => {
    const spelled = fc
      .array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: name.length, maxLength: name.length })
      .map((flags) => [...name].map((letter, at) => spell(letter, ...(flags[at] as [boolean, boolean]))).join(''));
    const rest = fc.stringMatching(/^[!-%'-<>-~]{0,20}$/).map((text) => `x${text}`);
    fc.assert(
      fc.property(spelled, rest, rest, (credential, before, after) => {
        expect(stripCredentialParameters(`/a?${before}&${credential}=v&${after}`)).toBe(`/a?${before}&${after}`);
      }),
      { numRuns: 50 },
    );
  });
});

function spell(letter: string, upper: boolean, encoded: boolean): string {
  const cased = upper ? letter.toUpperCase() : letter;
  return encoded ? `%${cased.charCodeAt(0).toString(16)}` : cased;
}
