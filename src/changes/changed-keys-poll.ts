import type { WatchConnection } from '../database/watch-connection.js';

/** If more keys than this changed at once, all keys are reported as changed. */
const KEYS_MAX = 2000;
/** Microseconds. A version is assigned before its transaction commits, so a lower one can appear after a higher one. */
const LOOK_BACK = 5_000_000;

const HIGHEST = 'select coalesce(max(version), 0) as version from key_quota';
// Written at each change of a key and never by admission: almost always this finds the same few rows, or none.
const CHANGED = `select key_id, version from key_quota where version > $1 order by version limit ${KEYS_MAX + 1}`;

interface Row {
  readonly key_id: string;
  /** Time of the change in microseconds since 1970: exact as a number until the year 2255. */
  readonly version: string;
}

/** Finds keys that were changed since the last poll, by their versions. */
export class ChangedKeysPoll {
  /** Versions at or below it are ignored. */
  private floor: number | null = null;
  private highest = 0;
  /** Versions that were reported, as far back as the poll reads. */
  private reported = new Map<string, number>();

  constructor(
    private readonly query: WatchConnection['query'],
    private readonly report: (id: string | null, changedAtMs?: number) => void,
  ) {}

  async poll(): Promise<void> {
    if (this.floor === null) return this.restart();
    const rows = await this.query<Row>(CHANGED, [Math.max(this.highest - LOOK_BACK, this.floor)]);
    if (rows.length > KEYS_MAX) return this.restart();
    const found = new Map(rows.map(({ key_id, version }) => [key_id, Number(version)]));
    const before = this.reported;
    this.reported = found;
    for (const [id, version] of found) {
      this.highest = Math.max(this.highest, version);
      if (before.get(id) !== version) this.report(id, version / 1000);
    }
  }

  /** Earlier changes are no longer reported by ID, so all keys are reported. */
  private async restart(): Promise<void> {
    const [row] = await this.query<{ version: string }>(HIGHEST);
    this.floor = this.highest = Number(row?.version ?? 0);
    this.reported = new Map();
    this.report(null);
  }
}
