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

/** Finds keys that changed since the last poll. */
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

// Sums hashes of each row's model and transaction ID, so that every insert, update, and delete changes the result. The largest
// `updated_at` would miss deletions and changes that commit out of order.
const FINGERPRINTS = `
  select (select count(*) || ':' || coalesce(sum(hashtextextended(model, xmin::text::bigint)), 0) from model_policies)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(model, xmin::text::bigint)), 0) from model_probes)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_drains) as tables,
         (select coalesce(string_agg(xmin::text || ':' || fetched_at, ' '), '') from model_catalog)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_catalogs) as catalog`;

type Topic = 'tables' | 'catalog';
type Fingerprints = Readonly<Record<Topic, string | null>>;

/**
 * Detects that a small table or the catalog has changed, but not which rows. Listeners read it again completely.
 */
export class FingerprintPoll {
  private known: Fingerprints | null = null;

  constructor(
    private readonly query: WatchConnection['query'],
    private readonly report: (topic: Topic) => void,
  ) {}

  async poll(): Promise<void> {
    const [found] = await this.query<Fingerprints>(FINGERPRINTS);
    const before = this.known;
    if (!found) return;
    this.known = found;
    for (const topic of ['tables', 'catalog'] as const) {
      if (before?.[topic] !== found[topic]) this.report(topic);
    }
  }
}
