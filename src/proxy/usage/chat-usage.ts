import { bufferedReport } from './buffered-usage.js';
import { StreamUsage, type StreamFormat } from './stream-usage.js';
import { reportIn, usageOf, type UsageShape } from './usage-report.js';
import type { UsageReader } from './usage-reader.js';

/** `usage` of the chat format; `usageMetadata` in the NDJSON that some models yield, whatever the route. */
export const CHAT_SHAPES: readonly UsageShape[] = [
  { member: 'usage', input: 'prompt_tokens', output: 'completion_tokens' },
  { member: 'usageMetadata', input: 'promptTokenCount', output: 'candidatesTokenCount' },
];

const FORMAT: StreamFormat = {
  read: (bytes, objectAt, known) => reportIn(bytes, objectAt, CHAT_SHAPES) ?? known,
  oneFigureWillDo: true,
};

/** Chat completions: the last report of a stream counts, whatever the event or chunk that carries it (D14). */
export const CHAT_USAGE: UsageReader = {
  estimates: 'request and answer',
  stream: (contentType) => new StreamUsage(contentType, FORMAT),
  buffered: (body) => usageOf(bufferedReport(body, CHAT_SHAPES), true),
};
