import { invalidValue } from '../wire/vendor-error.js';
import type { Kept } from './collection.js';

interface Page<Entry> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 100;

/**
 * Returns one page of a list. It reads `limit` (1 to `limitMax`), `order` (`desc` by default) and the cursors `after`
 * and `before` from the query. An unknown cursor is ignored.
 *
 * @param entries entries from the oldest to the newest
 */
export function pageOf<Entry extends Kept>(
  entries: readonly Entry[],
  query: URLSearchParams,
  limitMax = LIMIT_MAX,
): Page<Entry> {
  const order = query.get('order') ?? 'desc';

  if (order !== 'asc' && order !== 'desc') throw invalidValue('order', 'use one of asc, desc');

  const limit = readLimit(query.get('limit'), limitMax);
  const ordered = order === 'asc' ? entries : entries.toReversed();
  const start = ordered.findIndex((entry) => entry.id === query.get('after')) + 1;
  const end = ordered.findIndex((entry) => entry.id === query.get('before'));
  const between = ordered.slice(start, end < 0 ? undefined : end);
  const data = between.slice(0, limit);

  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: between.length > data.length,
  };
}

function readLimit(text: string | null, limitMax: number): number {
  if (text === null || text === '') return limitMax > LIMIT_MAX ? limitMax : LIMIT_DEFAULT;

  const limit = /^\d{1,6}$/.test(text) ? Number(text) : NaN;

  if (!(limit >= 1 && limit <= limitMax))
    throw invalidValue('limit', `it must be a whole number from 1 to ${limitMax}`);
  return limit;
}
