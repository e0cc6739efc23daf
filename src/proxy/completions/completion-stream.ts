import { upstreamError } from '../../errors/catalogue.js';
import { isObject, type JsonObject } from '../../validation/check.js';
import type { StreamConverter } from '../forward-plan.js';
import { LINE_BYTES_MAX, LineSplitter, type LineReader } from '../metering/line-splitter.js';
import { completionPieces, echoOf, textCompletion, type ChatAnswer, type TextCompletion } from './text-completion.js';

/** What of an answer depends on the request. */
export interface CompletionWish {
  /** The prompt, to be sent before the answer; empty: nothing is. */
  readonly echo: string;
  /** The client asked for the chunk that tells the usage and nothing else. */
  readonly usageChunk: boolean;
}

/** What stands before and after a chunk. */
type Frame = readonly [before: string, after: string];
const EVENT: Frame = ['data: ', '\n\n'];
const LINE: Frame = ['', '\n'];

const DONE = '[DONE]';
/** What a held line costs beyond its text. */
const LINE_COST = 128;
/** No line within a piece of this size can be too long unseen. */
const PIECE_BYTES = 64 * 1024;

/**
 * Chat chunks → text completion chunks (D10), server-sent events and NDJSON alike: a chunk goes out when its line has
 * come. Comments, errors and whatever is no chat chunk pass as they are.
 * Memory: the line that has begun and the lines of an event that are no chunk by themselves, `LINE_BYTES_MAX` each;
 * beyond it `push` throws `upstream_error`: to leave text out unseen would be worse than to cut.
 */
export class CompletionStream implements StreamConverter, LineReader {
  private readonly lines = new LineSplitter(this);
  private readonly echo: Buffer;
  private out: Buffer[] = [];
  /** The end of `out`, so far. */
  private text = '';
  /** Data of the event under way that was no chunk so far. */
  private held: string[] = [];
  private heldLength = 0;
  /** Fields of the event under way have gone out, its end has not. */
  private open = false;
  private done = false;
  private hasEvents = false;
  private readonly begun = new Set<number>();
  private readonly finished = new Set<number>();

  constructor(private readonly wish: CompletionWish) {
    this.echo = echoOf(wish.echo);
  }

  push(chunk: Buffer): readonly Buffer[] {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const room = LINE_BYTES_MAX - this.lines.pendingBytes;
      if (piece.length > room && !/[\r\n]/.test(piece.toString('latin1', 0, room + 1))) throw tooLong();
      this.lines.push(piece);
    }
    return this.take();
  }

  end(): readonly Buffer[] {
    this.lines.end();
    this.endEvent();
    // An upstream that ends without saying so has ended whole only if every choice has.
    const whole = this.begun.size > 0 && this.begun.size === this.finished.size;
    if (this.hasEvents && whole && !this.done) this.write(`data: ${DONE}\n\n`);
    return this.take();
  }

  line(bytes: Buffer): void {
    if (this.done) return;
    const line = withoutMark(bytes.toString());
    if (line === '') this.endEvent();
    else if (line.startsWith('data:')) this.data(line.slice(line[5] === ' ' ? 6 : 5));
    else if (line.startsWith('{')) this.ndjson(line);
    else {
      this.write(`${line}\n`);
      this.open = true;
    }
  }

  private ndjson(line: string): void {
    const chunk = chunkIn(line);
    if (chunk !== null) this.convert(chunk, LINE);
    else this.write(`${line}\n`);
  }

  private data(payload: string): void {
    this.hasEvents = true;
    if (payload.trim() === DONE) {
      this.endEvent();
      this.write(`data: ${DONE}\n\n`);
      this.done = true;
      return;
    }
    const chunk = chunkIn(payload);
    if (chunk !== null) {
      // Some providers leave the blank line between two events out.
      this.endHeld();
      this.convert(chunk, EVENT);
      return;
    }
    this.held.push(payload);
    this.heldLength += payload.length + LINE_COST;
    if (this.held.length > 1 && this.heldLength > LINE_BYTES_MAX) throw tooLong();
  }

  private endEvent(): void {
    this.endHeld();
    if (this.open) this.write('\n');
  }

  /** Data of several lines may make a chunk together; what makes none passes line by line. */
  private endHeld(): void {
    if (this.held.length === 0) return;
    const lines = this.held;
    this.held = [];
    this.heldLength = 0;
    const chunk = chunkIn(lines.join('\n'));
    if (chunk !== null) this.convert(chunk, EVENT);
    else this.write(`${lines.map((line) => `data: ${line}\n`).join('')}\n`);
  }

  private convert(answer: ChatAnswer, frame: Frame): void {
    if (answer.choices.length === 0 && !(this.wish.usageChunk && isObject(answer['usage']))) return;
    const chunk = textCompletion(answer);
    for (const { index, finish_reason: reason } of chunk.choices) {
      if (this.echo.length > 0 && !this.begun.has(index)) this.writeEcho(chunk, index, frame);
      this.begun.add(index);
      // Some providers say '' for: not yet.
      if (reason !== null && reason !== '') this.finished.add(index);
    }
    const [before, after] = frame;
    this.write(before + JSON.stringify(chunk) + after);
  }

  private writeEcho(chunk: TextCompletion, index: number, [before, after]: Frame): void {
    const choices = [{ text: '', index, logprobs: null, finish_reason: null }];
    this.write(before);
    this.flush();
    this.out.push(...completionPieces({ ...chunk, usage: undefined, choices }, this.echo));
    this.write(after);
  }

  private write(text: string): void {
    this.text += text;
    this.open = false;
  }

  private flush(): void {
    if (this.text !== '') this.out.push(Buffer.from(this.text));
    this.text = '';
  }

  private take(): readonly Buffer[] {
    this.flush();
    const { out } = this;
    if (out.length > 0) this.out = [];
    return out;
  }
}

const tooLong = () => upstreamError('The upstream sent a line that is too long to be converted.');

const withoutMark = (line: string): string => (line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);

/** null: no chunk: an error, something else of the provider's, or no JSON. The last chunk may have no choices, or null. */
function chunkIn(text: string): ChatAnswer | null {
  const value = parsed(text);
  if (!isObject(value)) return null;
  const choices = value['choices'] ?? [];
  if (!Array.isArray(choices)) return null;
  const isError = (value['error'] ?? null) !== null;
  if (choices.length === 0 && (isError || !isLast(value))) return null;
  return { ...value, choices };
}

/** Of a chunk without choices. */
const isLast = ({ choices, object, usage }: JsonObject): boolean =>
  Array.isArray(choices) || object === 'chat.completion.chunk' || isObject(usage);

/** undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
