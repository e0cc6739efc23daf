import type { MarkSearch } from '../../platform/event-stream/event-reader.js';
import { QUOTE, startsAt } from '../../platform/json/bytes.js';

/** The start of every usage field name. Searching without the quote, a common byte, takes half the time. */
const USAGE = Buffer.from('usage');
/** The word without its first letter, because a native search stops at each letter that the word begins with. */
const RROR = Buffer.from('rror');
const LETTER_E = 0x65;
const NULL_VALUES = [Buffer.from('":null'), Buffer.from('": null')];

/** Positions of the word `error`, except of null fields. */
export class ErrorMarks implements MarkSearch {
  private error = -1;
  private searchedTo = 0;

  reset(): void {
    this.error = -1;
    this.searchedTo = 0;
  }

  next(chunk: Buffer, at: number): number {
    if (at < this.searchedTo) return at;
    if (this.error < at) this.error = nextError(chunk, at);
    this.searchedTo = this.error + 1;
    return this.error;
  }
}

/** Positions of usage field names and of the word `error`, except of null fields. */
export class UsageMarks implements MarkSearch {
  private usage = -1;
  private error = -1;
  private searchedTo = 0;

  reset(): void {
    this.usage = -1;
    this.error = -1;
    this.searchedTo = 0;
  }

  next(chunk: Buffer, at: number): number {
    if (at < this.searchedTo) return at;
    if (this.usage < at) this.usage = nextUsage(chunk, at);
    if (this.error < at) this.error = nextError(chunk, at);
    const next = Math.min(this.usage, this.error);
    this.searchedTo = next + 1;
    return next;
  }
}

/** Skips `"usage":null`, which some providers send hundreds of times. */
export function nextUsage(chunk: Buffer, from: number): number {
  let at = chunk.indexOf(USAGE, from);
  while (at !== -1 && (chunk[at - 1] !== QUOTE || isNull(chunk, at + USAGE.length)))
    at = chunk.indexOf(USAGE, at + USAGE.length);
  return at === -1 ? chunk.length : at;
}

function nextError(chunk: Buffer, from: number): number {
  let at = chunk.indexOf(RROR, from);
  while (at !== -1 && (chunk[at - 1] !== LETTER_E || isNull(chunk, at + RROR.length)))
    at = chunk.indexOf(RROR, at + RROR.length);
  return at === -1 ? chunk.length : Math.max(from, at - 1);
}

/** @param at the index after a field name, before its closing quote */
const isNull = (bytes: Buffer, at: number): boolean => NULL_VALUES.some((value) => startsAt(bytes, at, value));
