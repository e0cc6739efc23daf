import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable, Module } from '@nestjs/common';
import { Config } from './config/config.js';

/** A ciphertext or signature for one purpose is invalid for another. */
type Purpose = 'webhook-secret' | 'csrf-token';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * Encrypts and signs with `GW_SECRET_KEY`. During a rotation the setting has two keys: the first encrypts and signs, and
 * both decrypt and verify. Without a key (in tests) it uses a random one, which is lost with the process.
 */
@Injectable()
export class Secrets {
  private keys: readonly Buffer[];

  constructor({ secretKeys, reloads }: Config) {
    this.keys = secretKeys.length > 0 ? keysOf(secretKeys) : [randomBytes(KEY_BYTES)];
    reloads.subscribe(({ secretKeys: changed }) => {
      if (changed !== undefined) this.keys = keysOf(changed);
    });
  }

  get rotating(): boolean {
    return this.keys.length > 1;
  }

  /** @returns `v1.…` in printable ASCII, different each time; about 4/3 of the text's bytes plus 41 */
  encrypt(purpose: Purpose, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', deriveKey(this.keys[0]!, 'encrypt', purpose), nonce);
    const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return `${VERSION}.${Buffer.concat(parts).toString('base64url')}`;
  }

  decrypt(purpose: Purpose, stored: string): string {
    for (const key of this.keys) {
      const text = decryptWith(deriveKey(key, 'encrypt', purpose), stored);
      if (text !== null) return text;
    }
    throw new Error(`No key in GW_SECRET_KEY decrypts the stored ${purpose}`);
  }

  /** @returns 43 base64url characters, the same for the same text and key */
  sign(purpose: Purpose, text: string): string {
    return signature(this.keys[0]!, purpose, text);
  }

  /** Returns whether `sign` created `signed` with any current key. Runs in constant time. */
  verifies(purpose: Purpose, text: string, signed: string): boolean {
    const given = Buffer.from(signed);
    const matches = this.keys.map((key) => {
      const expected = Buffer.from(signature(key, purpose, text));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
    return matches.includes(true);
  }
}

const keysOf = (texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text, 'base64'));

function deriveKey(key: Buffer, use: 'encrypt' | 'sign', purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `gateway:${VERSION}:${use}:${purpose}`, KEY_BYTES));
}

function signature(key: Buffer, purpose: Purpose, text: string): string {
  return createHmac('sha256', deriveKey(key, 'sign', purpose))
    .update(text, 'utf8')
    .digest('base64url');
}

function decryptWith(key: Buffer, stored: string): string | null {
  const [version, body = ''] = stored.split('.', 2);
  const bytes = Buffer.from(body, 'base64url');
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

@Module({ providers: [Secrets], exports: [Secrets] })
export class SecretsModule {}
