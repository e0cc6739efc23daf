import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Config } from '../../src/platform/config/config.js';
import { Secrets } from '../../src/platform/secrets.js';

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');

const secretsWith = (...keys: string[]) => new Secrets(Config.from({ GW_SECRET_KEY: keys.join(',') }));
const secrets = secretsWith(OLD);

describe('encryption', () => {
  test.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '', 'ключ 🔑', 'x'.repeat(100_000)])(
    'decrypts an encrypted text (case %#), whose ciphertext differs each time and does not contain it',
    (text) => {
      const [one, other] = [secrets.encrypt('webhook-secret', text), secrets.encrypt('webhook-secret', text)];
      expect(secrets.decrypt('webhook-secret', one)).toBe(text);
      expect(secrets.decrypt('webhook-secret', other)).toBe(text);
      expect(one).not.toBe(other);
      expect(one).toMatch(/^v1\.[0-9A-Za-z_-]+$/);
      if (text !== '') expect(Buffer.from(one.slice(3), 'base64url').includes(text)).toBe(false);
    },
  );

  test('decrypts a text only for the purpose for which it was encrypted', () => {
    expect(() => secrets.decrypt('csrf-token', secrets.encrypt('webhook-secret', 'x'))).toThrow('csrf-token');
  });

  test('does not decrypt a text that was changed by one bit, truncated or malformed', () => {
    const whole = secrets.encrypt('webhook-secret', 'secret');
    const bytes = Buffer.from(whole.slice(3), 'base64url');
    const altered = Array.from(bytes, (_, at) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1;
      return `v1.${copy.toString('base64url')}`;
    });
    const cut = bytes.subarray(0, -1).toString('base64url');
    for (const stored of [...altered, `v1.${cut}`, `v2.${whole.slice(3)}`, 'v1.', 'v1', '', 'secret']) {
      expect(() => secrets.decrypt('webhook-secret', stored)).toThrow('No key in GW_SECRET_KEY decrypts');
    }
  });

  test('an error contains neither the key nor the text', () => {
    const stored = secrets.encrypt('webhook-secret', 'the text');
    let message = '';
    try {
      secretsWith(NEW).decrypt('webhook-secret', stored);
    } catch (error) {
      message = String(error);
    }
    expect(message).toMatch(/^Error: No key/);
    for (const hidden of ['the text', NEW, stored]) expect(message).not.toContain(hidden);
  });
});

describe('signatures', () => {
  const signed = secrets.sign('csrf-token', 'session');

  test('a signature is deterministic and valid only for its text and purpose', () => {
    expect(secrets.sign('csrf-token', 'session')).toBe(signed);
    expect(signed).toMatch(/^[0-9A-Za-z_-]{43}$/);
    expect(secrets.verifies('csrf-token', 'session', signed)).toBe(true);
    expect(secrets.verifies('csrf-token', 'session2', signed)).toBe(false);
    expect(secrets.verifies('webhook-secret', 'session', signed)).toBe(false);
  });

  test.each([
    '',
    'x',
    signed.slice(1),
    `${signed}=`,
    `${signed} `,
    `${signed}${signed}`,
    'A'.repeat(43),
    '🔑'.repeat(43),
  ])('rejects a malformed signature (case %#)', (other) =>
    expect(secrets.verifies('csrf-token', 'session', other)).toBe(false),
  );
});

test('during a key rotation the first key encrypts and signs, and both keys decrypt and verify', () => {
  const during = secretsWith(NEW, OLD);
  const after = secretsWith(NEW);
  const stored = secrets.encrypt('webhook-secret', 'kept');
  const signed = secrets.sign('csrf-token', 'session');
  expect(during.decrypt('webhook-secret', stored)).toBe('kept');
  expect(during.verifies('csrf-token', 'session', signed)).toBe(true);
  expect(after.verifies('csrf-token', 'session', signed)).toBe(false);
  expect(() => after.decrypt('webhook-secret', stored)).toThrow();

  expect(after.decrypt('webhook-secret', during.encrypt('webhook-secret', 'new'))).toBe('new');
  expect(after.verifies('csrf-token', 'session', during.sign('csrf-token', 'session'))).toBe(true);
});

test('without GW_SECRET_KEY, encrypted texts and signatures are valid only in the same process', () => {
  const [one, other] = [new Secrets(Config.from({})), new Secrets(Config.from({}))];
  const stored = one.encrypt('webhook-secret', 'x');
  expect(one.decrypt('webhook-secret', stored)).toBe('x');
  expect(() => other.decrypt('webhook-secret', stored)).toThrow();
  expect(other.verifies('csrf-token', 's', one.sign('csrf-token', 's'))).toBe(false);
});
