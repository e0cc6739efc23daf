import { CARRIAGE_RETURN, LINE_FEED } from '../platform/json/bytes.js';
import { jsonIn } from '../platform/json/parse-json.js';
import { isObject } from '../platform/validation/check.js';
import type { StreamConverter } from './forward-plan.js';
import { nextUsage } from './metering/stream-marks.js';

/** Blank lines end an event. CRLF line ends are found by the second one. */
const EVENT_ENDS = ['\n\n', '\n\r\n', '\r\r'].map((end) => Buffer.from(end));
const EVENT_END_BYTES_MAX = 3;
/** A usage chunk has a few hundred bytes. A longer event is forwarded while it arrives. */
const EVENT_BYTES_MAX = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Removes the chunk of a chat stream that contains only the usage, because the gateway asked for it and the client did not. All other
 * bytes stay unchanged. The end of a chunk waits until its event is complete, and a client cannot use an incomplete event anyway.
 */
export class UsageChunkFilter implements StreamConverter {
  private held = NOTHING;
  /** The current event is too long to hold, so its beginning has been forwarded. */
  private isLong = false;

  push(chunk: Buffer): readonly Buffer[] {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    const end = endOfLastEvent(bytes);
    if (end === -1) return this.hold(bytes);
    // A copy, because a slice would keep the socket's whole buffer in memory.
    this.held = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
    const from = this.isLong ? endOfEvent(bytes, 0) : 0;
    this.isLong = false;
    return withoutUsageChunks(bytes.subarray(0, end), from);
  }

  end(): readonly Buffer[] {
    const { held } = this;
    this.held = NOTHING;
    return held.length === 0 ? [] : [held];
  }

  private hold(bytes: Buffer): readonly Buffer[] {
    if (!this.isLong && bytes.length <= EVENT_BYTES_MAX) {
      this.held = Buffer.from(bytes);
      return [];
    }
    this.isLong = true;
    // The end of the event can be divided between two chunks.
    const sent = Math.max(0, bytes.length - EVENT_END_BYTES_MAX);
    this.held = Buffer.from(bytes.subarray(sent));
    return sent === 0 ? [] : [bytes.subarray(0, sent)];
  }
}

function endOfLastEvent(bytes: Buffer): number {
  // Most chunks are complete events.
  if (bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED) return bytes.length;
  let end = -1;
  for (const mark of EVENT_ENDS) {
    const at = bytes.lastIndexOf(mark);
    if (at !== -1) end = Math.max(end, at + mark.length);
  }
  return end;
}

/** The index after the first event that ends after `from`. There must be one. */
function endOfEvent(bytes: Buffer, from: number): number {
  let end = bytes.length;
  for (const mark of EVENT_ENDS) {
    const at = bytes.indexOf(mark, from);
    if (at !== -1) end = Math.min(end, at + mark.length);
  }
  return end;
}

/** @param events complete events; the first `from` bytes are forwarded unseen */
function withoutUsageChunks(events: Buffer, from: number): readonly Buffer[] {
  const kept: Buffer[] = [];
  let keptTo = 0;
  for (let at = nextUsage(events, from); at < events.length;) {
    const start = skipBlankLines(events, Math.max(from, endOfLastEvent(events.subarray(0, at))));
    const end = endOfEvent(events, at);
    if (isUsageChunk(events.toString('utf8', start, end))) {
      if (start > keptTo) kept.push(events.subarray(keptTo, start));
      keptTo = end;
    }
    at = nextUsage(events, end);
  }
  if (keptTo < events.length) kept.push(events.subarray(keptTo));
  return kept;
}

function skipBlankLines(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) at += 1;
  return at;
}

function isUsageChunk(event: string): boolean {
  const data = event
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length));
  const chunk = jsonIn(data.join('\n'));
  if (!isObject(chunk) || !isObject(chunk['usage']) || (chunk['error'] ?? null) !== null) return false;
  const choices = chunk['choices'] ?? [];
  return Array.isArray(choices) && choices.length === 0;
}
