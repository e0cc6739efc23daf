import { invalidValue } from '../wire/vendor-error.js';
import type { Kept } from './collection.js';

interface MessagesPage<Entry> {
  readonly data: readonly Entry[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
  /** The value of `page` for the next request, or null on the last page. */
  readonly next_page: string | null;
}

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;

/**
 * Returns one page of a list in Anthropic's format. It reads `limit`, `after_id`, `before_id` and `page` from the
 * query. An unknown cursor selects the first page.
 *
 * @throws VendorError 400 for a limit outside 1 to 1000
 */
export function messagesPageOf<Entry extends Kept>(
  entries: readonly Entry[],
  query: URLSearchParams,
): MessagesPage<Entry> {
  const limit = Number(query.get('limit') ?? LIMIT_DEFAULT);

  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw invalidValue('limit', 'it must be a whole number from 1 to 1000');

  const placeOf = (id: string | null): number => entries.findIndex((entry) => entry.id === id);
  const end = placeOf(query.get('before_id'));
  const start = end < 0 ? placeOf(query.get('after_id') ?? query.get('page')) + 1 : Math.max(0, end - limit);
  const data = entries.slice(start, end < 0 ? start + limit : end);
  const more = end < 0 ? start + data.length < entries.length : start > 0;
  const last = data.at(-1)?.id ?? null;

  return {
    data,
    has_more: more,
    first_id: data[0]?.id ?? null,
    last_id: last,
    next_page: more && end < 0 ? last : null,
  };
}
