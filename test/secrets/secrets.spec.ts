import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { Secrets } from '../../src/secrets/secrets.js';

const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');

const secretsWith = (...keys: string[]) => new Secrets(Config.from({ GW_SECRET_KEY: keys.join(',') }));
const secrets = secretsWith(OLD);

describe('what is encrypted', () => {
  test.each(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', '', 'ключ 🔑', 'x'.repeat(100_000)])(
    'is read back (%#), looks different each time, and shows nothing of itself',
    (text) => {
      const [one, other] = [secrets.encrypt('webhook-secret', text), secrets.encrypt('webhook-secret', text)];
      expect(secrets.decrypt('webhook-secret', one)).toBe(text);
      expect(secrets.decrypt('webhook-secret', other)).toBe(text);
      expect(one).not.toBe(other);
      expect(one).toMatch(/^v1\.[0-9A-Za-z_-]+$/);
      if (text !== '') expect(Buffer.from(one.slice(3), 'base64url').includes(text)).toBe(false);
    },
  );

  test('opens for the purpose it was made for alone', () => {
    expect(() => secrets.decrypt('csrf-token', secrets.encrypt('webhook-secret', 'x'))).toThrow('csrf-token');
  });

  test('does not open after the change of a single bit, cut, or in another form', () => {
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

  test('an error tells neither key nor text', () => {
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

describe('what is signed', () => {
  const signed = secrets.sign('csrf-token', 'session');

  test('is the same each time and verifies for its text and purpose alone', () => {
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
  ])('is refused in another form (%#)', (other) =>
    expect(secrets.verifies('csrf-token', 'session', other)).toBe(false),
  );
});

test('while a key is replaced the first one makes what is new, and both are taken', () => {
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

test('without a key it works within the process, and no other process can read it', () => {
  const [one, other] = [new Secrets(Config.from({})), new Secrets(Config.from({}))];
  const stored = one.encrypt('webhook-secret', 'x');
  expect(one.decrypt('webhook-secret', stored)).toBe('x');
  expect(() => other.decrypt('webhook-secret', stored)).toThrow();
  expect(other.verifies('csrf-token', 's', one.sign('csrf-token', 's'))).toBe(false);
});
