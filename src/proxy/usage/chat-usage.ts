import type { TokenUsage } from '../../request-context/token-usage.js';
import { bufferedReport } from './buffered-usage.js';
import { skipSpace } from './json-scan.js';
import { NdjsonPayloads, SsePayloads, type PayloadReader, type PayloadSource } from './sse-payloads.js';
import { reportIn, usageOf, type UsageFigures, type UsageShape } from './usage-figures.js';
import type { StreamUsageReader, UsageReader } from './usage-reader.js';

/** `usage` of the chat format; `usageMetadata` in the NDJSON that some models yield. */
const SHAPES: readonly UsageShape[] = [
  { member: 'usage', input: 'prompt_tokens', output: 'completion_tokens' },
  { member: 'usageMetadata', input: 'promptTokenCount', output: 'candidatesTokenCount' },
];

/** Chat completions: the last report of a stream counts, whatever the event or chunk that carries it (D14). */
export const CHAT_USAGE: UsageReader = {
  stream: (contentType) => new ChatStreamUsage(contentType),
  buffered: (body) => usageOf(bufferedReport(body, SHAPES), true),
};

/** What the names of both shapes begin with. Within a JSON string the quote after it would be escaped. */
const MARK = Buffer.from('"usage');
const NULL_REPORTS = [Buffer.from('":null'), Buffer.from('": null')];

class ChatStreamUsage implements StreamUsageReader, PayloadReader {
  private readonly source: PayloadSource;
  private last: UsageFigures | null = null;

  constructor(contentType: string) {
    this.source = /ndjson|jsonl|json-lines/i.test(contentType) ? new NdjsonPayloads(this) : new SsePayloads(this);
  }

  push(chunk: Buffer): void {
    this.source.push(chunk);
  }

  end(whole: boolean): TokenUsage {
    this.source.end();
    return usageOf(this.last, whole);
  }

  /** Chunks with `"usage":null`, which come by the hundred before the one that tells, are as dull as those without. */
  next(chunk: Buffer, at: number): number {
    let mark = chunk.indexOf(MARK, at);
    while (mark !== -1 && isNull(chunk, mark + MARK.length)) mark = chunk.indexOf(MARK, mark + MARK.length);
    return mark === -1 ? chunk.length : mark;
  }

  payload(bytes: Buffer): void {
    if (this.next(bytes, 0) >= bytes.length) return;
    this.last = reportIn(bytes, skipSpace(bytes, 0), SHAPES) ?? this.last;
  }
}

const isNull = (bytes: Buffer, at: number): boolean => NULL_REPORTS.some((report) => stands(bytes, at, report));

function stands(bytes: Buffer, at: number, what: Buffer): boolean {
  for (let i = 0; i < what.length; i++) {
    if (bytes[at + i] !== what[i]) return false;
  }
  return true;
}
