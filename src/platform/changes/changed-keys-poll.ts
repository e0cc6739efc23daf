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
