import { fieldChanges, type FieldChanges } from '../audit/audit-log.js';
import { withoutQuery } from './delivery/target-url.rules.js';

interface Settings {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly enabled?: boolean;
  readonly disabledReason?: string | null;
}

/** What an audit row tells of. */
const FIELDS = { url: 'url', events: 'events', enabled: 'enabled', disabledReason: 'disabled_reason' } as const;

/**
 * Of a URL the query is left out, which may hold a token; a change of it alone is told all the same.
 * @param before null: it was not there @param after null: it is gone
 */
export function webhookChanges(before: Settings | null, after: Settings | null): FieldChanges {
  const { url, ...others } = fieldChanges(FIELDS, before, after);
  return url === undefined ? others : { url: { old: shown(url.old), new: shown(url.new) }, ...others };
}

const shown = (url: unknown): string | null => (typeof url === 'string' ? withoutQuery(url) : null);
