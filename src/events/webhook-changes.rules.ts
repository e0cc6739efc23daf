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
 * The fields in which `settings` differ from `before`, for the audit row; null: there was no webhook before. Of a URL the
 * query is left out, which may hold a token.
 */
export function changesOf(before: Settings | null, settings: Settings): Record<string, { old: unknown; new: unknown }> {
  const properties = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  const differing = properties.filter(
    (property) =>
      settings[property] !== undefined && JSON.stringify(before?.[property]) !== JSON.stringify(settings[property]),
  );
  return Object.fromEntries(
    differing.map((property) => [
      FIELDS[property],
      { old: shown(before?.[property]) ?? null, new: shown(settings[property]) },
    ]),
  );
}

const shown = (value: unknown): unknown => (typeof value === 'string' ? withoutQuery(value) : value);
