import { documentsIn } from '../platform/event-stream/documents-in.js';
import { eventReader, type EventSubscriber } from '../platform/event-stream/event-reader.js';
import { WordMarks } from '../platform/event-stream/word-marks.js';
import { CARRIAGE_RETURN, LINE_FEED } from '../platform/json/bytes.js';
import { jsonIn } from '../platform/json/parse-json.js';
import { isObject } from '../platform/validation/check.js';
import type { StreamConverter } from './forward-plan.js';
import { nextUsage } from './metering/stream-marks.js';

/** A usage chunk has a few hundred bytes. A longer event is forwarded while it arrives. */
const EVENT_BYTES_MAX = 64 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
const BETWEEN_EVENTS = -1;

/**
 * Removes the chunk of a chat stream that contains only the usage, because the gateway asked for it and the client did not. All other
 * bytes stay unchanged. An unfinished event is held until its end arrives, because it could be the usage chunk.
 */
export class UsageChunkFilter implements StreamConverter, EventSubscriber {
  private readonly events = eventReader('sse', this, new WordMarks([nextUsage]));
  /** The unfinished event of earlier chunks. */
  private held = NOTHING;
  /** The held bytes and the current chunk. */
  private bytes = NOTHING;
  private chunkFrom = 0;
  /** The index in `bytes` at which the current event begins. */
  private eventFrom = BETWEEN_EVENTS;
  /** `bytes` before this index are forwarded or removed. */
  private doneTo = 0;
  private out: Buffer[] = [];
  private isError = false;
  /** The current event is too long to hold, so its beginning has been forwarded. */
  private isLong = false;
  /** The removed event ended with the first half of a CRLF. */
  private removesLineFeed = false;

  push(chunk: Buffer): readonly Buffer[] {
    if (chunk.length === 0) return [];
    this.chunkFrom = this.held.length;
    this.bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    this.held = NOTHING;
    this.out = [];
    this.doneTo = this.removesLineFeed && chunk[0] === LINE_FEED ? 1 : 0;
    this.removesLineFeed = false;
    if (this.eventFrom !== BETWEEN_EVENTS) this.eventFrom = 0;
    this.events.push(chunk);
    if (this.eventFrom === BETWEEN_EVENTS) this.forwardTo(this.bytes.length);
    else this.hold(this.eventFrom);
    return this.out;
  }

  end(): readonly Buffer[] {
    const { held } = this;
    this.held = NOTHING;
    return held.length === 0 ? [] : [held];
  }

  eventStart(at: number): void {
    this.eventFrom = this.chunkFrom + at;
  }

  data(): void {
    // The whole event is parsed when it ends.
  }

  errorEvent(): void {
    this.isError = true;
  }

  eventEnd(at: number): void {
    if (this.eventFrom === BETWEEN_EVENTS) return;
    const end = this.chunkFrom + at;
    if (!this.isLong && !this.isError && isUsageChunk(this.bytes.subarray(this.eventFrom, end))) this.removeTo(end);
    this.eventFrom = BETWEEN_EVENTS;
    this.isError = this.isLong = false;
  }

  private removeTo(end: number): void {
    this.forwardTo(this.eventFrom);
    this.doneTo = end;
    this.removesLineFeed = end === this.bytes.length && this.bytes[end - 1] === CARRIAGE_RETURN;
  }

  private forwardTo(end: number): void {
    if (end > this.doneTo) this.out.push(this.bytes.subarray(this.doneTo, end));
    this.doneTo = end;
  }

  /** Holds the bytes from this index on, or forwards them if the event is too long. */
  private hold(from: number): void {
    this.isLong ||= this.bytes.length - from > EVENT_BYTES_MAX;
    this.forwardTo(this.isLong ? this.bytes.length : from);
    // A copy, because a slice would keep the socket's whole buffer in memory.
    if (!this.isLong) this.held = Buffer.from(this.bytes.subarray(from));
  }
}

function isUsageChunk(event: Buffer): boolean {
  if (nextUsage(event, 0) === event.length) return false;
  const [chunk] = documentsIn(event, 'sse', (data): unknown => jsonIn(data.toString()));
  if (!isObject(chunk) || !isObject(chunk['usage']) || (chunk['error'] ?? null) !== null) return false;
  const choices = chunk['choices'] ?? [];
  return Array.isArray(choices) && choices.length === 0;
}
