import { describe, expect, test } from '@jest/globals';
import { Canaries } from './canaries.js';

describe('canary search', () => {
  const canaries = new Canaries();
  const value = canaries.plant('it', 'a"b/c+d=e-0123456789-vwxyz');
  const base64 = (before: string, form: 'base64' | 'base64url' = 'base64') =>
    Buffer.from(`${before}${value}, and more`).toString(form);
  test.each([
    ['plain', `x${value}x`],
    ['escaped in JSON', JSON.stringify({ value })],
    ['escaped in a URL', `https://example.com/?x=${encodeURIComponent(value)}`],
    ['in hexadecimal', Buffer.from(`x${value}x`).toString('hex').toUpperCase()],
    ['in base64', base64('')],
    ['in base64, shifted by one byte', base64('1')],
    ['in base64, shifted by two bytes', base64('12')],
    ['in base64url', base64('123', 'base64url')],
    ['by its first half', value.slice(0, 13)],
    ['by its second half', value.slice(13).toUpperCase()],
  ])('a canary is found %s', (_name, text) => expect(canaries.in(text)).toEqual(['it']));

  test('a different text does not match', () => expect(canaries.in(value.replaceAll(/[5c]/g, 'x'))).toEqual([]));
});
