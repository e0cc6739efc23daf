import { randomUUIDv7 } from 'node:crypto';

/** None that holds a key of ours: it would come back in a header (D24). */
const CLIENT_ID = /^(?!.*(?:sk-gw-|admin_gw_))[A-Za-z0-9._-]{1,128}$/;

/**
 * A UUID v7. Its milliseconds name the partition of its log row, and its last random bits decide whether the request is in the
 * sample (D15). The time is `Date.now()`, as in the rest of the process: `randomUUIDv7` accepts no time.
 */
export function newRequestId(nowMs = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}

/** The client's own id, `X-Request-Id` of the request, where it has the form of one; it is given back as `X-GW-Client-Id`. */
export const clientIdOf = (header: string | string[] | undefined): string | null =>
  typeof header === 'string' && CLIENT_ID.test(header) ? header : null;

/** Milliseconds since 1970 at which a UUID v7 was made. */
export function timeOfRequestId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** `write` with its last text kept: those who ask within one millisecond share it. */
export function onceAMillisecond(write: (ms: number) => string): (ms: number) => string {
  let [lastMs, text] = [Number.NaN, ''];
  return (ms) => {
    if (ms !== lastMs) [lastMs, text] = [ms, write(ms)];
    return text;
  };
}
