import type { WatchConnection } from '../database/watch-connection.js';

const KEYS_MAX = 2000;
/** Versions are assigned before the commit, so a lower version can appear after a higher one. */
const LOOKBACK_MICROSECONDS = 5_000_000;

const HIGHEST = 'select coalesce(max(version), 0) as version from key_quota';
// Admission never changes `version`, only key changes do, so this almost always finds few rows or none.
const CHANGED = `select key_id, version from key_quota where version > $1 order by version limit ${KEYS_MAX + 1}`;

interface Row {
  readonly key_id: string;
  /** Time of the change in microseconds since 1970. Exact as a JavaScript number until 2255. */
  readonly version: string;
}

/** Finds keys that changed since the last poll. After too many changes, it reports that any key might have changed. */
export class ChangedKeysPoll {
  private floor: number | null = null;
  private highest = 0;
  private reported = new Map<string, number>();

  constructor(
    private readonly query: WatchConnection['query'],
    private readonly report: (id: string | null, changedAtMs?: number) => void,
  ) {}

  async poll(): Promise<void> {
    if (this.floor === null) return this.restart();
    const rows = await this.query<Row>(CHANGED, [Math.max(this.highest - LOOKBACK_MICROSECONDS, this.floor)]);
    if (rows.length > KEYS_MAX) return this.restart();
    const found = new Map(rows.map(({ key_id, version }) => [key_id, Number(version)]));
    const before = this.reported;
    this.reported = found;
    for (const [id, version] of found) {
      this.highest = Math.max(this.highest, version);
      if (before.get(id) !== version) this.report(id, version / 1000);
    }
  }

  private async restart(): Promise<void> {
    const [row] = await this.query<{ version: string }>(HIGHEST);
    this.floor = this.highest = Number(row?.version ?? 0);
    this.reported = new Map();
    this.report(null);
  }
}

/** The small tables that each process keeps in memory. */
export type SmallTable = 'model_policies' | 'model_probes' | 'upstream_drains' | 'model_prices' | 'lost_changes';
type Fingerprints = Readonly<Record<SmallTable | 'catalog', string>>;

/**
 * Each insert, update and delete changes the fingerprint, because it contains the sum of hashes of the rows. The largest `updated_at`
 * would miss deletions, and changes that commit out of order. A transaction ID would not be enough, because two servers can give the
 * same ID to different changes.
 */
const fingerprintOf = (table: SmallTable, row = 'hashed::text'): string =>
  `select count(*) || ':' || coalesce(sum(hashtextextended(${row}, 0)), 0) from ${table} hashed`;

const FINGERPRINTS: Fingerprints = {
  model_policies: fingerprintOf('model_policies'),
  model_probes: fingerprintOf('model_probes'),
  upstream_drains: fingerprintOf('upstream_drains'),
  // Prices never change, and only the decision about a lost change does.
  model_prices: fingerprintOf('model_prices', 'id::text'),
  lost_changes: fingerprintOf('lost_changes', `id::text || coalesce(decision, '')`),
  catalog: `
    select (select coalesce(string_agg(xmin::text || ':' || fetched_at, ' '), '') from model_catalog) || ' ' ||
           (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_catalogs)`,
};

const READ_ALL = `select ${Object.entries(FINGERPRINTS)
  .map(([name, sql]) => `(${sql}) as ${name}`)
  .join(', ')}`;

/** A statement that returns `columns` of all rows, with the fingerprint of the table in the same snapshot. See `cachedRows`. */
export const withFingerprint = (table: SmallTable, columns: string): string => `
select f.fingerprint, t.*
  from (select (${FINGERPRINTS[table]}) as fingerprint) f
  left join (select ${columns}, true as present from ${table}) t on true`;

export interface FingerprintedRow {
  readonly fingerprint: string;
  readonly present: boolean | null;
}

/** The rows of a small table by ID, and the fingerprint of the same snapshot. */
export interface CachedRows<Row> {
  readonly fingerprint: string;
  readonly rows: ReadonlyMap<string, Row>;
}

/**
 * @param result the rows of `withFingerprint`. An empty table has one row, which only contains the fingerprint
 * @param entryOf returns the ID and the value of a row
 */
export function cachedRows<Found, Row>(
  result: readonly (Found & FingerprintedRow)[],
  entryOf: (row: Found) => readonly [string, Row],
): CachedRows<Row> {
  return {
    fingerprint: result[0]!.fingerprint,
    rows: new Map(result.filter(({ present }) => present === true).map(entryOf)),
  };
}

interface FollowedTable {
  readonly table: SmallTable;
  /** The fingerprint of the rows in memory; null before the first read */
  readonly fingerprint: () => string | null;
  readonly refresh: () => void;
}

/** Detects that small tables differ from the rows in memory, and that the catalog has changed. */
export class FingerprintPoll {
  private readonly tables: FollowedTable[] = [];
  private catalog: string | null = null;

  constructor(
    private readonly query: WatchConnection['query'],
    private readonly catalogChanged: () => void,
  ) {}

  follow(table: FollowedTable): void {
    this.tables.push(table);
  }

  async poll(): Promise<void> {
    const [found] = await this.query<Fingerprints>(READ_ALL);
    if (!found) return;
    // The texts are compared with those of the rows in memory, not with the last poll. Rows from another server are thus found.
    for (const { table, fingerprint, refresh } of this.tables) if (fingerprint() !== found[table]) refresh();
    const before = this.catalog;
    this.catalog = found.catalog;
    if (before !== found.catalog) this.catalogChanged();
  }
}
