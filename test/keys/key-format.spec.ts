import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { generateKey, hashKey, hintOf, parseKey } from '../../src/keys/key-format.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const key = fc.constant(null).map(() => generateKey());

describe('generateKey', () => {
  test('a generated key is unique, valid, and consists of sk-gw- and 49 base62 characters', () => {
    const keys = Array.from({ length: 2000 }, generateKey);
    for (const generated of keys) {
      expect(generated).toMatch(/^sk-gw-[0-9A-Za-z]{49}$/);
      expect(parseKey(generated)).toBe(generated);
    }
    expect(new Set(keys).size).toBe(2000);
  });

  test('every base62 character is equally frequent in generated keys', () => {
    const counts = new Map<string, number>();
    const bodies = Array.from({ length: 4000 }, () => generateKey().slice(6, 49)).join('');
    for (const character of bodies) counts.set(character, (counts.get(character) ?? 0) + 1);
    const expected = bodies.length / 62;
    const chiSquare = [...ALPHABET].reduce((sum, c) => sum + ((counts.get(c) ?? 0) - expected) ** 2 / expected, 0);
    // With 61 degrees of freedom, a random key exceeds 130 once in a million runs. Bytes modulo 62 would produce about 2,000.
    expect(chiSquare).toBeLessThan(130);
  });

  test('the hash of a key is its SHA-256, and the hint shows its last four characters', () => {
    const generated = generateKey();
    expect(hashKey(generated)).toBe(createHash('sha256').update(generated).digest('hex'));
    expect(hintOf(generated)).toBe(`sk-gw-…${generated.slice(-4)}`);
  });
});

test.each([
  'sk-gw-00000000000000000000000000000000000000000003ZrOc8',
  'sk-gw-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg0fyNMA',
  'sk-gw-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789ab0054800uqYx',
])('the previously issued key %s stays valid', (given) => {
  expect(parseKey(given)).toBe(given);
});

describe('parseKey', () => {
  test.each([
    ['another prefix', 'sk-xy-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg14ORAv'],
    ['a first character outside base62', 'sk-gw--bCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg4ccf6Y'],
    ['a middle character outside base62', 'sk-gw-AbCdEfGhIjKlMnOpQrSt_vWxYz0123456789abcdefg3hAzFF'],
    ['a last character outside base62', 'sk-gw-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdef-3HELga'],
  ])('rejects %s, even with a valid checksum', (_what, text) => {
    expect(parseKey(text)).toBeNull();
  });

  test('rejects a key with one replaced character', () => {
    fc.assert(
      fc.property(key, fc.nat(54), fc.constantFrom(...ALPHABET), (good, at, character) => {
        fc.pre(good[at] !== character);
        expect(parseKey(good.slice(0, at) + character + good.slice(at + 1))).toBeNull();
      }),
    );
  });

  test('rejects a key with two swapped neighbors', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 6, max: 53 }), (good, at) => {
        fc.pre(good[at] !== good[at + 1]);
        expect(parseKey(good.slice(0, at) + good[at + 1] + good[at] + good.slice(at + 2))).toBeNull();
      }),
    );
  });

  test('rejects a key with missing or additional characters', () => {
    fc.assert(
      fc.property(key, fc.nat(54), fc.string({ minLength: 1, maxLength: 3 }), (good, at, extra) => {
        expect(parseKey(good.slice(0, at) + good.slice(at + 1))).toBeNull();
        expect(parseKey(good.slice(0, at) + extra + good.slice(at))).toBeNull();
      }),
    );
  });

  test('rejects arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(parseKey(text)).toBeNull();
      }),
    );
    for (const text of ['', 'sk-gw-', `sk-gw-${'é'.repeat(49)}`, `sk-gw-${'a'.repeat(10_000_000)}`, 'admin_gw_x']) {
      expect(parseKey(text)).toBeNull();
    }
  });
});
