import { upstreamError } from '../../platform/errors/error-factories.js';
import { parseResponse } from '../../platform/json/json-structure.js';
import { isObject, type JsonObject } from '../../platform/validation/check.js';
import type { StreamConverter } from '../forward-plan.js';
import { LINE_BYTES_MAX, LineSplitter, type LineReader } from '../../platform/event-stream/line-splitter.js';
import {
  completionPieces,
  echoOf,
  jsonOf,
  textCompletion,
  type ChatPayload,
  type TextCompletion,
} from './text-completion.js';

export interface CompletionOptions {
  /** The prompt that precedes each choice, or ''. */
  readonly echo: string;
  readonly usageChunk: boolean;
}

type Frame = readonly [before: string, after: string];
const EVENT: Frame = ['data: ', '\n\n'];
const LINE: Frame = ['', '\n'];

const DONE = '[DONE]';
const LINE_COST = 128;

/**
 * Converts chat chunks from server-sent events or NDJSON (D10). Other lines are forwarded unchanged. Beyond `LINE_BYTES_MAX`,
 * `push` throws `upstream_error`, because silently dropping text would be worse than cutting the response.
 */
export class CompletionStream implements StreamConverter, LineReader {
  private readonly lines = new LineSplitter(this);
  private readonly echo: Buffer;
  private out: Buffer[] = [];
  private text = '';
  /** `data` lines of the current event that are not a chunk yet. */
  private held: string[] = [];
  private heldLength = 0;
  /** Fields of the current event were sent, and its end was not. */
  private open = false;
  private done = false;
  private hasEvents = false;
  private readonly begun = new Set<number>();
  private readonly finished = new Set<number>();

  constructor(private readonly options: CompletionOptions) {
    this.echo = echoOf(options.echo);
  }

  push(chunk: Buffer): readonly Buffer[] {
    this.lines.push(chunk);
    return this.take();
  }

  end(): readonly Buffer[] {
    this.lines.end();
    this.endEvent();
    // A stream without `[DONE]` is complete only if every choice has finished.
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

  lineTooLong(): never {
    throw tooLong();
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
      // Some providers omit the blank line between events.
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

  /** Several `data` lines can form one chunk. Otherwise they are forwarded line by line. */
  private endHeld(): void {
    if (this.held.length === 0) return;
    const lines = this.held;
    this.held = [];
    this.heldLength = 0;
    const chunk = chunkIn(lines.join('\n'));
    if (chunk !== null) this.convert(chunk, EVENT);
    else this.write(`${lines.map((line) => `data: ${line}\n`).join('')}\n`);
  }

  private convert(completion: ChatPayload, frame: Frame): void {
    if (completion.choices.length === 0 && !(this.options.usageChunk && isObject(completion['usage']))) return;
    const chunk = textCompletion(completion);
    for (const { index, finish_reason: reason } of chunk.choices) {
      if (this.echo.length > 0 && !this.begun.has(index)) this.writeEcho(chunk, index, frame);
      this.begun.add(index);
      // Some providers send '' until the choice has finished.
      if (reason !== null && reason !== '') this.finished.add(index);
    }
    const [before, after] = frame;
    this.write(before + jsonOf(chunk) + after);
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

const tooLong = () =>
  upstreamError('The upstream sent a line that is too long to convert. Use POST /v1/chat/completions.');

const withoutMark = (line: string): string => (line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);

/** Returns null for errors and everything else that is not a chunk. The last chunk can lack choices. */
function chunkIn(text: string): ChatPayload | null {
  const value = parsed(text);
  if (!isObject(value)) return null;
  const choices = value['choices'] ?? [];
  if (!Array.isArray(choices)) return null;
  const isError = (value['error'] ?? null) !== null;
  if (choices.length === 0 && (isError || !isLast(value))) return null;
  return { ...value, choices };
}

const isLast = ({ choices, object, usage }: JsonObject): boolean =>
  Array.isArray(choices) || object === 'chat.completion.chunk' || isObject(usage);

/** Returns undefined for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return parseResponse(text);
  } catch (error) {
    if (error instanceof RangeError) throw tooLong();
    return undefined;
  }
}
