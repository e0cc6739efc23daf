import { TOKENS_MAX } from '../usage-report.js';
import { responseText } from './response-text.js';
import type { Estimate, EstimateJob, Side } from './estimate-job.js';
import { requestText } from './request-text.js';
import type { SideText } from './side-text.js';
import { spreadPieces } from './spread-pieces.js';

/** Tokens of one text. */
export type CountTokens = (text: string) => number;

/** Tokenized of one side at most, in letters of the text's mean size. */
export const TOKENIZED_BYTES_MAX = 256 * 1024;

/** Both sides of a job counted; 0 for one that is not asked for. What lies beyond the bounds is taken in proportion. */
export function estimate({ request, answer }: Pick<EstimateJob, 'request' | 'answer'>, count: CountTokens): Estimate {
  return {
    input: request === null ? 0 : tokensOf(request, requestText(request.bytes), count),
    output: answer === null ? 0 : tokensOf(answer, responseText(answer.bytes, answer.format), count),
  };
}

function tokensOf(side: Side, { texts, framingTokens }: SideText, count: CountTokens): number {
  const { pieces, share } = spreadPieces(texts, TOKENIZED_BYTES_MAX);
  let tokens = 0;
  for (const piece of pieces) tokens += count(piece);
  const cut = side.bytes.length === 0 ? 1 : side.totalBytes / side.bytes.length;
  return Math.min(TOKENS_MAX, Math.round((tokens / share + framingTokens) * cut));
}
