import { bufferedReport } from './buffered-usage.js';
import { CHAT_SHAPES } from './chat-usage.js';
import { memberAt } from './json-scan.js';
import { StreamUsage, type StreamFormat } from './stream-usage.js';
import { reportIn, usageOf, type UsageReport, type UsageShape } from './usage-report.js';
import type { UsageReader } from './usage-reader.js';

const SHAPES: readonly UsageShape[] = [
  { member: 'usage', input: 'input_tokens', output: 'output_tokens', steps: 'iterations' },
  ...CHAT_SHAPES,
];

const FORMAT: StreamFormat = {
  read(bytes, objectAt, known) {
    const message = memberAt(bytes, objectAt, 'message');
    // What a message's start says of its output is the first tokens only.
    if (message !== -1) return merged(known, reportIn(bytes, message, SHAPES)?.input ?? null, null);
    const report = reportIn(bytes, objectAt, SHAPES);
    return report === null ? known : merged(known, report.input, report.output);
  },
  oneFigureWillDo: false,
};

/**
 * The messages format (D14): input from `message_start`, output from the last `message_delta`. Where that repeats the input
 * the greater figure counts: some providers know it only then. Steps that the totals leave out (a compaction, an advisor's
 * answers) are counted with them. Tokens of prompt caches are reported apart and not counted.
 */
export const MESSAGES_USAGE: UsageReader = {
  estimates: 'request and answer',
  stream: (contentType) => new StreamUsage(contentType, FORMAT),
  buffered: (body) => usageOf(bufferedReport(body, SHAPES), true),
};

function merged(known: UsageReport | null, input: number | null, output: number | null): UsageReport | null {
  if (input === null && output === null) return known;
  const before = known?.input ?? null;
  return {
    input: input === null ? before : Math.max(input, before ?? 0),
    output: output ?? known?.output ?? null,
  };
}
