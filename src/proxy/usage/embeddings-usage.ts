import { bufferedReport } from './buffered-usage.js';
import { CHAT_USAGE } from './chat-usage.js';
import { usageOf, type UsageShape } from './usage-report.js';
import type { UsageReader } from './usage-reader.js';

/** Some providers give the sum alone, which is the input. */
const SHAPES: readonly UsageShape[] = [
  { member: 'usage', input: 'prompt_tokens', output: null },
  { member: 'usage', input: 'total_tokens', output: null },
];

export const EMBEDDINGS_USAGE: UsageReader = {
  estimates: 'request',
  stream: CHAT_USAGE.stream,
  buffered: (body) => usageOf(bufferedReport(body, SHAPES), true),
};
