import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { redactCredentials } from '../../src/proxy/redaction/redact-credentials.js';

const token = (min: number, max: number) => fc.stringMatching(new RegExp(`^[A-Za-z0-9]{${min},${max}}$`));
const credential = fc
  .tuple(
    fc.constantFrom('sk-', 'sk-ant-api03-', 'sk-proj-', 'AIza', 'xai-', 'gsk_', 'sk-gw-', 'admin_gw_'),
    token(16, 120),
  )
  .map(([prefix, rest]) => prefix + rest);

describe('redactCredentials', () => {
  test('redacts a credential anywhere in a text', () => {
    fc.assert(
      fc.property(fc.string(), credential, fc.string(), (before, secret, after) => {
        expect(redactCredentials(before + secret + after)).not.toContain(secret);
      }),
      { numRuns: 2000 },
    );
  });

  test('redacts any bearer token and any configured secret', () => {
    fc.assert(
      fc.property(token(10, 60), fc.constantFrom('Bearer ', 'bearer ', 'BEARER: '), (secret, scheme) => {
        expect(redactCredentials(`header was ${scheme}${secret}.`)).not.toContain(secret);
        expect(redactCredentials(`you sent ${secret}!`, [secret])).toBe('you sent [redacted]!');
      }),
    );
  });

  test.each([
    ['Incorrect API key provided: sk-proj-abc***********xyz.', 'Incorrect API key provided: [redacted].'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def rejected', 'jwt [redacted] rejected'],
    ['key "AIzaSyA1234567890abcdefg" invalid', 'key "[redacted]" invalid'],
  ])('redacts "%s" to "%s"', (text, expected) => expect(redactCredentials(text)).toBe(expected));

  test.each([
    'The model `gpt-4o` does not exist.',
    'A task-oriented disk-bound desk-like message',
    'Bearer of bad news, no token given',
    'Rate limit reached for requests per min (RPM): Limit 3, Used 3. Please try again in 20s.',
  ])('does not change an ordinary message: %s', (text) => expect(redactCredentials(text)).toBe(text));
});
