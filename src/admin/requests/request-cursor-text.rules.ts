import { UUID } from '../../platform/validation/characters.js';
import { LATEST_MS } from '../../platform/validation/timestamp.js';
import type { RequestPosition, RequestSort } from '../../stats/reports/request-list.read-model.js';

/** The largest values of the sorted columns. */
const VALUES_MAX = { latency: 2n ** 31n - 1n, cost: 2n ** 63n - 1n } as const;

/** Callers must treat a cursor as opaque text. */
export const cursorOf = (sort: RequestSort, { id, createdAtMs, value }: RequestPosition): string =>
  Buffer.from([sort, createdAtMs, id, ...(value === null ? [] : [value])].join(' ')).toString('base64url');

/** Returns null for text that is not a cursor of a list in this order. */
export function positionIn(cursor: string, sort: RequestSort): RequestPosition | null {
  const [sortedBy, time, id, value = null, ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (sortedBy !== sort || time === undefined || id === undefined || rest.length > 0) return null;
  const isPosition = /^\d{1,15}$/.test(time) && Number(time) <= LATEST_MS && UUID.test(id);
  return isPosition && isValueOf(sort, value) ? { id, createdAtMs: Number(time), value } : null;
}

function isValueOf(sort: RequestSort, value: string | null): boolean {
  if (sort === 'time' || value === null) return sort === 'time' && value === null;
  return /^\d{1,19}$/.test(value) && BigInt(value) <= VALUES_MAX[sort];
}
