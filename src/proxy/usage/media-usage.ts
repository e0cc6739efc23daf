import { NO_USAGE } from '../../request-context/token-usage.js';
import { isEventStream } from './answer-format.js';
import { RESPONSES_USAGE } from './responses-usage.js';
import type { StreamUsageReader, UsageReader } from './usage-reader.js';

/** Sound, or a transcript as plain text: bytes without a report. */
const WITHOUT_REPORT: StreamUsageReader = { push: () => undefined, end: () => NO_USAGE };

/** Images, speech and transcriptions: what they report, by the names of the responses format; else nothing, for no text tells it (D14). */
export const MEDIA_USAGE: UsageReader = {
  estimates: 'nothing',
  stream: (contentType) => (isEventStream(contentType) ? RESPONSES_USAGE.stream(contentType) : WITHOUT_REPORT),
  buffered: RESPONSES_USAGE.buffered,
};
