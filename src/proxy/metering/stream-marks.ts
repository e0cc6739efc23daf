import { QUOTE, startsAt } from '../../platform/json/bytes.js';

/** The start of every usage field name. Searching without the quote, a common byte, takes half the time. */
const USAGE = Buffer.from('usage');
/** The word without its first letter, because a native search stops at each letter that the word begins with. */
const RROR = Buffer.from('rror');
const LETTER_E = 0x65;
const NULL_VALUES = [Buffer.from('":null'), Buffer.from('": null')];

/** Finds the next usage field name, except of null fields, which some providers send hundreds of times. */
export function nextUsage(chunk: Buffer, from: number): number {
  let at = chunk.indexOf(USAGE, from);
  while (at !== -1 && (chunk[at - 1] !== QUOTE || isNull(chunk, at + USAGE.length)))
    at = chunk.indexOf(USAGE, at + USAGE.length);
  return at === -1 ? chunk.length : at;
}

/** Finds the next `error`, except of null fields. */
export function nextError(chunk: Buffer, from: number): number {
  let at = chunk.indexOf(RROR, from);
  while (at !== -1 && (chunk[at - 1] !== LETTER_E || isNull(chunk, at + RROR.length)))
    at = chunk.indexOf(RROR, at + RROR.length);
  return at === -1 ? chunk.length : Math.max(from, at - 1);
}

/** @param at the index after a field name, before its closing quote */
const isNull = (bytes: Buffer, at: number): boolean => NULL_VALUES.some((value) => startsAt(bytes, at, value));
