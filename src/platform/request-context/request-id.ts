import { randomUUIDv7 } from 'node:crypto';

/** An ID that contains a gateway key is invalid, because the ID is returned in a header (D24). */
const CLIENT_ID = /^(?!.*(?:sk-gw-|admin_gw_))[A-Za-z0-9._-]{1,128}$/;

/**
 * Creates a UUID v7. Its time selects the partition of the log row, and its last random bits decide on sampling (D15). The
 * time prefix is replaced, because `randomUUIDv7` does not accept a time.
 */
export function newRequestId(nowMs = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}

export const clientIdOf = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && CLIENT_ID.test(header) ? header : null;

export function timeOfRequestId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Wraps `write` so that calls for the same millisecond share one text. */
export function memoizePerMillisecond(write: (ms: number) => string): (ms: number) => string {
  let [lastMs, text] = [Number.NaN, ''];
  return (ms) => {
    if (ms !== lastMs) [lastMs, text] = [ms, write(ms)];
    return text;
  };
}
