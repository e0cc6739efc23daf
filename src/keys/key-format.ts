import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key (D24) is `sk-gw-`, 43 base62 characters from a CSPRNG (256 bits), and a checksum: CRC-32 over prefix and body,
 * big-endian in base62, padded with `0` to 6 characters.
 *
 * The checksum is not a security feature. It detects every mistyped character and every pair of swapped neighbors without a
 * query.
 */
const PREFIX = 'sk-gw-';
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const CHECKSUM_AT = PREFIX.length + BODY_LENGTH;
const KEY_LENGTH = CHECKSUM_AT + CHECKSUM_LENGTH;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from this value on are discarded, because they would make some characters more frequent than others. */
const BIASED_FROM = 256 - (256 % ALPHABET.length);
const BASE62 = /^[0-9A-Za-z]+$/;

export function generateKey(): string {
  let key = PREFIX;
  while (key.length < CHECKSUM_AT) {
    for (const byte of randomBytes(64)) {
      if (byte < BIASED_FROM && key.length < CHECKSUM_AT) key += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return key + checksumOf(key);
}

/** Returns null if the format or the checksum is invalid. The cost does not depend on the length of `text`. */
export function parseKey(text: string): string | null {
  if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX)) return null;
  if (!BASE62.test(text.slice(PREFIX.length))) return null;
  return checksumOf(text.slice(0, CHECKSUM_AT)) === text.slice(CHECKSUM_AT) ? text : null;
}

const IMPORTED_KEY = /^sk-[\x21-\x7e]{5,250}$/;

/** Whether a raw key can be one of another gateway (`GW_IMPORTED_KEYS`). Such keys have no checksum. */
export const isImportedKey = (text: string): boolean => IMPORTED_KEY.test(text);

/** Returns the SHA-256 as 64 hex digits, which is stored and cached instead of the raw key. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

export function hintOf(key: string): string {
  return `${PREFIX}…${key.slice(-4)}`;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}
