import { OPEN_BRACE } from '../platform/json/bytes.js';
import { replaceTopLevelValue } from '../platform/json/replace-model.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import { isObject } from '../platform/validation/check.js';

/** The routes whose streams report their usage only on request. */
const SILENT_STREAMS: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/completions']);
const OPTIONS = 'stream_options';
const REQUESTED = Buffer.from(`"${OPTIONS}":{"include_usage":true},`);

/** Whether limits count the usage of a stream whose client has not asked for it. Call it while the parsed body exists. */
export function hidesUsage({ reservation, stream, route, body }: RequestContext): boolean {
  if (reservation?.countsUsage !== true || !stream || route?.kind !== 'gateway') return false;
  if (!SILENT_STREAMS.has(route.endpoint)) return false;
  const options = body.json?.[OPTIONS];
  return !isObject(options) || options['include_usage'] !== true;
}

/**
 * Asks the provider for the usage of a streamed chat completion (ADR 0043). All other bytes stay unchanged.
 * @param given the client's `stream_options`; undefined if the body has none
 */
export function withUsageRequest(body: Buffer, given: unknown): Buffer {
  if (given !== undefined) {
    const options = isObject(given) ? { ...given, include_usage: true } : { include_usage: true };
    return replaceTopLevelValue(body, OPTIONS, JSON.stringify(options));
  }
  const inside = body.indexOf(OPEN_BRACE) + 1;
  return Buffer.concat([body.subarray(0, inside), REQUESTED, body.subarray(inside)]);
}
