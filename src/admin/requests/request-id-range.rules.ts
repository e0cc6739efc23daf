import { timeOfRequestId } from '../../platform/request-context/request-id.js';
import { LATEST_MS } from '../../platform/validation/timestamp.js';
import type { RequestIdRange } from '../../stats/reports/request-list.read-model.js';

const UUID_SHAPE = '00000000-0000-0000-0000-000000000000';

const HEX = '[0-9A-Fa-f]';
const WHOLE = `${HEX}{8}(?:-${HEX}{4})`;
/** A UUID, or the beginning of one, with its hyphens. */
export const ID_PREFIX = new RegExp(`^(?:${HEX}{1,8}|${WHOLE}{0,2}-${HEX}{0,4}|${WHOLE}{3}-${HEX}{0,12})$`);

/** The IDs that begin with `prefix`, which must match `ID_PREFIX`. Their time is bounded, because an ID begins with it. */
export function requestIdRange(prefix: string): RequestIdRange {
  const filledWith = (digit: string) => prefix.toLowerCase() + UUID_SHAPE.slice(prefix.length).replaceAll('0', digit);
  const [from, to] = [filledWith('0'), filledWith('f')];
  return { from, to, sinceMs: msOf(from), untilMs: msOf(to) };
}

const msOf = (id: string): number => Math.min(timeOfRequestId(id), LATEST_MS);
