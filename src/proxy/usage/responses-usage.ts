import { bufferedReport } from './buffered-usage.js';
import { CHAT_SHAPES } from './chat-usage.js';
import { memberAt } from './json-scan.js';
import { StreamUsage, type StreamFormat } from './stream-usage.js';
import { reportIn, usageOf, type UsageShape } from './usage-report.js';
import type { UsageReader } from './usage-reader.js';

const SHAPES: readonly UsageShape[] = [
  { member: 'usage', input: 'input_tokens', output: 'output_tokens' },
  ...CHAT_SHAPES,
];

const FORMAT: StreamFormat = {
  read(bytes, objectAt, known) {
    const response = memberAt(bytes, objectAt, 'response');
    return reportIn(bytes, response === -1 ? objectAt : response, SHAPES) ?? known;
  },
  oneFigureWillDo: true,
};

/**
 * The responses format: the report of the last event whose `response` has one, which is the one that ends it:
 * `response.completed`, `.incomplete` or `.failed` (D14).
 */
export const RESPONSES_USAGE: UsageReader = {
  estimates: 'request and answer',
  stream: (contentType) => new StreamUsage(contentType, FORMAT),
  buffered: (body) => usageOf(bufferedReport(body, SHAPES), true),
};
