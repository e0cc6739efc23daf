import { estimate, type CountTokens } from './count-tokens.js';
import type { Estimate, EstimateJob, Side } from './estimate-job.js';
import { roughTextBytes } from './rough-text-bytes.js';

/** Looked at of each side: a tenth of a millisecond. A long string without a blank is searched for its name: 1 ms a megabyte. */
export const ROUGH_BYTES_MAX = 16 * 1024;
const BYTES_A_TOKEN = 4;

const byBytes: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / BYTES_A_TOKEN);

/**
 * What a job costs without a tokenizer and in bounded time: four bytes of text are a token. Of a long request pieces are read,
 * of a long answer the beginning.
 */
export function roughEstimate({ request, answer }: EstimateJob): Estimate {
  const long = request !== null && request.bytes.length > ROUGH_BYTES_MAX ? request : null;
  const rough = estimate(
    { request: long === null ? request : null, answer: answer === null ? null : { ...answer, ...beginningOf(answer) } },
    byBytes,
  );
  return long === null ? rough : { ...rough, input: roughTokens(long) };
}

const roughTokens = ({ bytes, totalBytes }: Side): number =>
  Math.ceil((roughTextBytes(bytes, ROUGH_BYTES_MAX) / BYTES_A_TOKEN) * (totalBytes / bytes.length));

const beginningOf = ({ bytes, totalBytes }: Side): Side => ({ bytes: bytes.subarray(0, ROUGH_BYTES_MAX), totalBytes });
