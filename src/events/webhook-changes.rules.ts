import { withoutQuery } from './delivery/target-url.rules.js';

interface Settings {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly enabled?: boolean;
  readonly disabledReason?: string | null;
}

/** Names as clients know them. */
const FIELDS = { url: 'url', events: 'events', enabled: 'enabled', disabledReason: 'disabled_reason' } as const;

/**
 * The fields that differ, old and new, for the audit row. Of a URL the query is left out, which may hold a token.
 * @param before null: it was not there @param after null: it is gone
 */
export function changesOf(
  before: Settings | null,
  after: Settings | null,
): Record<string, { old: unknown; new: unknown }> {
  const properties = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  const values = properties.map(
    (property) => [property, before?.[property] ?? null, after?.[property] ?? null] as const,
  );
  return Object.fromEntries(
    values
      .filter(([, old, now]) => JSON.stringify(old) !== JSON.stringify(now))
      .map(([property, old, now]) => [FIELDS[property], { old: shown(old), new: shown(now) }]),
  );
}

const shown = (value: unknown): unknown => (typeof value === 'string' ? withoutQuery(value) : value);
