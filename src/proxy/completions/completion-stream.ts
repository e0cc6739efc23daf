import { upstreamError } from '../../errors/catalogue.js';
import { isObject } from '../../validation/check.js';
import type { StreamConverter } from '../forward-plan.js';
import { LINE_BYTES_MAX, LineSplitter, type LineReader } from '../usage/line-splitter.js';
import { isChatAnswer, textCompletion, type ChatAnswer, type TextChoice } from './text-completion.js';

/** What of an answer depends on the request. */
export interface CompletionWish {
  /** The prompt, to be sent before the answer; empty: nothing is. */
  readonly echo: string;
  /** The client asked for the chunk that tells the usage and nothing else. */
  readonly usageChunk: boolean;
}

type Frame = (json: unknown) => string;
const asEvent: Frame = (json) => `data: ${JSON.stringify(json)}\n\n`;
const asLine: Frame = (json) => `${JSON.stringify(json)}\n`;

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
  private out = '';
  /** Data of the event under way that was no chunk so far. */
  private held: string[] = [];
  private heldLength = 0;
  /** Fields of the event under way have gone out, its end has not. */
  private open = false;
  private done = false;
  private hasEvents = false;
  private readonly begun = new Set<number>();
  private readonly finished = new Set<number>();

  constructor(private readonly wish: CompletionWish) {}

  push(chunk: Buffer): Buffer | null {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      const room = LINE_BYTES_MAX - this.lines.pendingBytes;
      if (piece.length > room && !/[\r\n]/.test(piece.toString('latin1', 0, room + 1))) throw tooLong();
      this.lines.push(piece);
    }
    return this.take();
  }

  end(): Buffer | null {
    this.lines.end();
    this.endEvent();
    // An upstream that ends without saying so has ended whole only if every choice has.
    const whole = this.begun.size > 0 && this.begun.size === this.finished.size;
    if (this.hasEvents && whole && !this.done) this.write(`data: ${DONE}\n\n`);
    return this.take();
  }

  skip(_chunk: Buffer, at: number): number {
    return at;
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
    const value = parsed(line);
    if (isChatAnswer(value)) this.convert(value, asLine);
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
    const value = parsed(payload);
    if (isChatAnswer(value)) {
      // Some providers leave the blank line between two events out.
      this.endHeld();
      this.convert(value, asEvent);
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
    const value = parsed(lines.join('\n'));
    if (isChatAnswer(value)) this.convert(value, asEvent);
    else this.write(`${lines.map((line) => `data: ${line}\n`).join('')}\n`);
  }

  private convert(answer: ChatAnswer, frame: Frame): void {
    if (answer.choices.length === 0 && !(this.wish.usageChunk && isObject(answer['usage']))) return;
    const chunk = textCompletion(answer);
    for (const { index, finish_reason: reason } of chunk.choices) {
      if (this.wish.echo !== '' && !this.begun.has(index)) {
        this.write(frame({ ...chunk, usage: undefined, choices: [this.echoed(index)] }));
      }
      this.begun.add(index);
      if (reason !== null) this.finished.add(index);
    }
    this.write(frame(chunk));
  }

  private echoed(index: number): TextChoice {
    return { text: this.wish.echo, index, logprobs: null, finish_reason: null };
  }

  private write(text: string): void {
    this.out += text;
    this.open = false;
  }

  private take(): Buffer | null {
    if (this.out === '') return null;
    const bytes = Buffer.from(this.out);
    this.out = '';
    return bytes;
  }
}

const tooLong = () => upstreamError('The upstream sent a line that is too long to be converted.');

const withoutMark = (line: string): string => (line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);

/** undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
