import { TOKENS_MAX } from '../usage-report.js';
import { answerText } from './answer-text.js';
import type { Estimate, EstimateJob, Side } from './estimate-job.js';
import { requestText } from './request-text.js';
import type { SideText } from './side-text.js';

/** Tokens of one text. */
export type CountTokens = (text: string) => number;

/** Tokenized of one side at most. */
export const TOKENIZED_BYTES_MAX = 256 * 1024;
/** Looked at for a rough figure: some 0.1 ms. */
const ROUGH_BYTES_MAX = 16 * 1024;
const BYTES_A_TOKEN = 4;

/** Both sides of a job counted; 0 for one that is not asked for. What lies beyond the bounds is taken in proportion. */
export function estimate({ request, answer }: EstimateJob, count: CountTokens): Estimate {
  return {
    input: request === null ? 0 : tokensOf(request, requestText(request.bytes), count),
    output: answer === null ? 0 : tokensOf(answer, answerText(answer.bytes, answer.format), count),
  };
}

/** The same without a tokenizer, in bounded time: four bytes of text are a token. */
export function roughEstimate(job: EstimateJob): Estimate {
  const { request, answer } = job;
  const rough = {
    ...job,
    request: request === null ? null : beginningOf(request),
    answer: answer === null ? null : { ...answer, ...beginningOf(answer) },
  };
  return estimate(rough, (text) => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN));
}

const beginningOf = ({ bytes, totalBytes }: Side): Side => ({ bytes: bytes.subarray(0, ROUGH_BYTES_MAX), totalBytes });

function tokensOf(side: Side, { texts, framingTokens }: SideText, count: CountTokens): number {
  let tokens = 0;
  let textBytes = 0;
  let countedBytes = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text);
    textBytes += bytes;
    const room = TOKENIZED_BYTES_MAX - countedBytes;
    if (room <= 0) continue;
    // By characters where a text is too long: exact enough for a proportion.
    const part = bytes <= room ? text : text.slice(0, Math.ceil((text.length * room) / bytes));
    tokens += count(part);
    countedBytes += part.length === text.length ? bytes : Buffer.byteLength(part);
  }
  if (countedBytes > 0) tokens *= textBytes / countedBytes;
  const cut = side.bytes.length === 0 ? 1 : side.totalBytes / side.bytes.length;
  return Math.min(TOKENS_MAX, Math.round((tokens + framingTokens) * cut));
}
