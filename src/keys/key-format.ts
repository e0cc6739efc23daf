import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * What an API key looks like (D24): `sk-gw-`, 43 base62 characters of a CSPRNG (256 bits), a checksum of 6.
 * The checksum is CRC-32 over prefix and body, big-endian in base62, padded with `0`. It keeps nobody out who knows the
 * form; it tells every mistyped character and every pair of swapped neighbours, without asking the database.
 */
const PREFIX = 'sk-gw-';
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const CHECKSUM_AT = PREFIX.length + BODY_LENGTH;
const KEY_LENGTH = CHECKSUM_AT + CHECKSUM_LENGTH;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on are thrown away: with them some characters would come up more often than others. */
const BIASED_FROM = 256 - (256 % ALPHABET.length);
const BASE62 = /^[0-9A-Za-z]+$/;

/** A new secret. Shown once, kept nowhere. */
export function generateKey(): string {
  let key = PREFIX;
  while (key.length < CHECKSUM_AT) {
    for (const byte of randomBytes(64)) {
      if (byte < BIASED_FROM && key.length < CHECKSUM_AT) key += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return key + checksumOf(key);
}

/** The key, if `text` is well formed and its checksum holds; else null. Costs the same however long `text` is. */
export function parseKey(text: string): string | null {
  if (text.length !== KEY_LENGTH || !text.startsWith(PREFIX)) return null;
  if (!BASE62.test(text.slice(PREFIX.length))) return null;
  return checksumOf(text.slice(0, CHECKSUM_AT)) === text.slice(CHECKSUM_AT) ? text : null;
}

/** SHA-256, 64 hex digits: what is stored and cached in the key's place. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** `sk-gw-…` and the last four characters, by which its owner tells it from others. */
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
