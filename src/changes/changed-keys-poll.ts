import type { WatchConnection } from '../database/watch-connection.js';

/** More than this at once, and everything is told to have changed. */
const KEYS_MAX = 2000;
/** Microseconds. A version is given before its transaction commits, so a lower one may appear after a higher one. */
const LOOK_BACK = 5_000_000;

const HIGHEST = 'select coalesce(max(version), 0) as version from key_quota';
// Written by triggers at each change of a key and never by admission: almost always this finds the same few, or none.
const CHANGED = `select key_id, version from key_quota where version > $1 order by version limit ${KEYS_MAX + 1}`;

interface Row {
  readonly key_id: string;
  /** Time of the change in microseconds since 1970: exact as a number until the year 2255. */
  readonly version: string;
}

/** Finds keys that were changed since the last look, by their versions. */
export class ChangedKeysPoll {
  /** Nothing at or below it is looked at. */
  private floor: number | null = null;
  private highest = 0;
  /** What was told, as far back as is looked. */
  private told = new Map<string, number>();

  constructor(
    private readonly query: WatchConnection['query'],
    private readonly tell: (id: string | null, changedAtMs?: number) => void,
  ) {}

  async look(): Promise<void> {
    if (this.floor === null) return this.beginAnew();
    const rows = await this.query<Row>(CHANGED, [Math.max(this.highest - LOOK_BACK, this.floor)]);
    if (rows.length > KEYS_MAX) return this.beginAnew();
    const found = new Map(rows.map(({ key_id, version }) => [key_id, Number(version)]));
    const before = this.told;
    this.told = found;
    for (const [id, version] of found) {
      this.highest = Math.max(this.highest, version);
      if (before.get(id) !== version) this.tell(id, version / 1000);
    }
  }

  /** What was changed before it is not told by its ids any more, so everything is. */
  private async beginAnew(): Promise<void> {
    const [row] = await this.query<{ version: string }>(HIGHEST);
    this.floor = this.highest = Number(row?.version ?? 0);
    this.told = new Map();
    this.tell(null);
  }
}
