import type { IncomingHttpHeaders } from 'node:http';
import { eventReader, type EventReader, type EventSubscriber } from '../../platform/event-stream/event-reader.js';
import { errorOfBody, providerErrorIn, type ProviderError } from './provider-error.rules.js';
import { verdictOf, verdictOfEvent, type JudgedRequest, type Verdict } from './response-verdict.rules.js';

/** More is not read to find an error. */
const HELD_BYTES_MAX = 64 * 1024;

/** The beginning of a response that shows whether the request should move to another upstream. */
export abstract class HeldBeginning {
  readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    protected readonly status: number,
    protected readonly headers: IncomingHttpHeaders,
  ) {}

  /** @returns whether the verdict is known */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    return this.read(chunk) || this.bytes > HELD_BYTES_MAX;
  }

  abstract verdict(request: JudgedRequest): Verdict;

  /** The bytes that describe the error. */
  abstract get error(): Buffer;

  protected abstract read(chunk: Buffer): boolean;

  protected get whole(): Buffer {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
  }
}

/** A response with an error status, whose body says whose fault it is. */
export class HeldErrorBody extends HeldBeginning {
  verdict(request: JudgedRequest): Verdict {
    return verdictOf({ status: this.status, headers: this.headers, body: this.whole }, request);
  }

  get error(): Buffer {
    return this.whole;
  }

  protected read(): boolean {
    return false;
  }
}

/** @returns null if the response has a format without errors that can be recognized */
export function heldSuccess(status: number, headers: IncomingHttpHeaders): HeldBeginning | null {
  const type = headers['content-type'] ?? '';
  if (/^\s*text\/event-stream\b/i.test(type)) return new HeldFirstEvent(status, headers);
  return /^\s*application\/json\b/i.test(type) ? new HeldErrorObject(status, headers) : null;
}

/** Reads a stream up to its first event. Comments and `ping` events are not events in this sense. */
class HeldFirstEvent extends HeldBeginning implements EventSubscriber {
  private readonly events: EventReader = eventReader('sse', this);
  private readonly pieces: Buffer[] = [];
  private isErrorEvent = false;
  private found: ProviderError | null = null;
  private isDecided = false;
  private errorBytes = Buffer.alloc(0);

  verdict(request: JudgedRequest): Verdict {
    if (this.found === null) return { effect: 'served', status: this.status };
    return verdictOfEvent(this.found, this.headers, request);
  }

  get error(): Buffer {
    return this.errorBytes;
  }

  data(piece: Buffer): void {
    if (!this.isDecided) this.pieces.push(piece);
  }

  errorEvent(): void {
    this.isErrorEvent = true;
  }

  /** Some providers omit the blank line between events. */
  lineEnd(): void {
    this.decide();
  }

  eventEnd(): void {
    this.decide();
    this.pieces.length = 0;
    if (!this.isDecided) this.isErrorEvent = false;
  }

  protected read(chunk: Buffer): boolean {
    this.events.push(chunk);
    return this.isDecided;
  }

  private decide(): void {
    if (this.isDecided || this.pieces.length === 0) return;
    const data = Buffer.concat(this.pieces);
    const text = data.toString().trim();
    if (text === '' || PING.test(text)) {
      this.pieces.length = 0;
      return;
    }
    this.isDecided = true;
    this.found = this.isErrorEvent ? errorOfBody(text) : providerErrorIn(text);
    if (this.found !== null) this.errorBytes = data;
  }
}

const PING = /^\{\s*"type"\s*:\s*"ping"/;

/** A JSON response that begins with an error instead of the fields of a success. */
class HeldErrorObject extends HeldBeginning {
  verdict(request: JudgedRequest): Verdict {
    const found = this.beginsWithError ? providerErrorIn(this.whole.toString()) : null;
    if (found === null) return { effect: 'served', status: this.status };
    return verdictOfEvent(found, this.headers, request);
  }

  get error(): Buffer {
    return this.whole;
  }

  protected read(): boolean {
    return !this.beginsWithError;
  }

  /** True while it is possible. */
  private get beginsWithError(): boolean {
    const text = this.whole.subarray(0, BEGINNING_BYTES).toString('latin1').replace(/\s+/g, '');
    return ERROR_BEGINNINGS.some((beginning) => beginning.startsWith(text.slice(0, beginning.length)));
  }
}

const BEGINNING_BYTES = 64;
const ERROR_BEGINNINGS = ['{"error":', '{"type":"error"'];
