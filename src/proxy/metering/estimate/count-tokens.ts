import { TOKENS_MAX } from '../usage-report.js';
import type { CountTokens, Estimate, EstimateJob, Side } from './estimate-job.js';
import { requestText } from './request-text.js';
import { responseText } from './response-text.js';
import type { CountedText } from './counted-text.js';

export const TOKENIZED_BYTES_MAX = 256 * 1024;
const PIECES = 256;

/** A null side counts 0. The tokens of text beyond the bounds are extrapolated. */
export function estimate(
  { request, response }: Pick<EstimateJob, 'request' | 'response'>,
  count: CountTokens,
): Estimate {
  const input = request === null ? 0 : tokensOf(request, requestText(request.bytes), count);
  if (response === null) return { input, output: 0 };
  const text = responseText(response.bytes, response.format);
  const { choices } = text;
  return { input, output: tokensOf(response, text, count), ...(choices !== undefined && { choices }) };
}

function tokensOf(side: Side, { texts, framingTokens }: CountedText, count: CountTokens): number {
  const { pieces, share } = sampleOf(texts);
  let tokens = 0;
  for (const piece of pieces) tokens += count(piece);
  const cut = side.bytes.length === 0 ? 1 : side.totalBytes / side.bytes.length;
  return Math.min(TOKENS_MAX, Math.round((tokens / share + framingTokens) * cut));
}

interface Sample {
  readonly pieces: readonly string[];
  readonly share: number;
}

/** Reduces long texts to random pieces of about 256 KiB, so that a client cannot put cheap text where it is counted. */
function sampleOf(texts: readonly string[]): Sample {
  let bytes = 0;
  let characters = 0;
  for (const text of texts) {
    bytes += Buffer.byteLength(text);
    characters += text.length;
  }
  if (bytes <= TOKENIZED_BYTES_MAX) return { pieces: texts, share: 1 };
  const length = Math.floor((characters * TOKENIZED_BYTES_MAX) / bytes / PIECES);
  return { pieces: piecesOf(texts, characters / PIECES, length), share: (length * PIECES) / characters };
}

function piecesOf(texts: readonly string[], partLength: number, length: number): string[] {
  const pieces: string[] = [];
  let index = 0;
  let begins = 0;
  for (let part = 0; part < PIECES; part++) {
    let at = Math.floor(part * partLength + Math.random() * (partLength - length));
    const end = at + length;
    while (at < end) {
      const text = texts[index]!;
      const piece = text.slice(at - begins, end - begins);
      if (piece !== '') pieces.push(piece);
      at += piece.length;
      if (at < end) {
        begins += text.length;
        index += 1;
      }
    }
  }
  return pieces;
}
