import { randomFillSync } from 'node:crypto';

/** None that holds a key of ours: it would come back in a header (D24). */
const CLIENT_ID = /^(?!.*(?:sk-gw-|admin_gw_))[A-Za-z0-9._-]{1,128}$/;

const POOL_BYTES = 10 * 256;
const pool = Buffer.alloc(POOL_BYTES);
let at = POOL_BYTES;

/**
 * A UUID v7: 48 bits of milliseconds, 74 random bits. Its time names the partition of its log row,
 * its last random bits decide the sample (D15). Random bytes are drawn many at a time: one draw costs as much as 256.
 */
export function newRequestId(nowMs: number): string {
  if (at === POOL_BYTES) {
    randomFillSync(pool);
    at = 0;
  }
  const random = pool.toString('hex', at, at + 10);
  at += 10;
  const time = timeText(nowMs);
  const variant = VARIANT[Number.parseInt(random[3]!, 16) & 3];
  return `${time}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

// A number beyond 31 bits becomes hexadecimal by divisions, which cost more than the rest of the id.
const timeText = onceAMillisecond((ms) => {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
});

const VARIANT = ['8', '9', 'a', 'b'] as const;

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
