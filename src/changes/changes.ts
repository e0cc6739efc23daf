import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { WatchConnection } from '../database/watch-connection.js';

const CHANNELS: Readonly<Record<string, ChangeTopic>> = { gw_key: 'key', gw_policy: 'policy', gw_catalog: 'catalog' };
const POLL_MS = 400;

export type ChangeTopic = 'key' | 'policy' | 'catalog';

/**
 * @param id the key ID or model ID; null: notifications might have been missed, so any row might have changed
 * @param changedAtMs the database's time, milliseconds since 1970; only from the poll for changed keys
 */
export type ChangeListener = (id: string | null, changedAtMs?: number) => void;

/**
 * Triggers send database notifications (`gw_key`, `gw_policy`, `gw_catalog`) within milliseconds, and a poll every 400 ms backs
 * them up. Caches are only fresh, not exact: admission checks the version of a cached key.
 */
@Injectable()
export class Changes implements OnModuleInit, OnModuleDestroy {
  private readonly listeners: Record<ChangeTopic, ChangeListener[]> = { key: [], policy: [], catalog: [] };
  private readonly keys: ChangedKeysPoll;
  private readonly fingerprints: FingerprintPoll;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly watch: WatchConnection) {
    const query = watch.query.bind(watch);
    this.keys = new ChangedKeysPoll(query, (id, changedAtMs) => this.report('key', id, changedAtMs));
    this.fingerprints = new FingerprintPoll(query, (topic) => this.report(topic, null));
    watch.onConnect((client) => this.listen(client));
  }

  /** Listeners are called in order and must not throw. They cannot be removed. */
  subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    this.listeners[topic].push(listener);
  }

  onModuleInit(): void {
    this.schedulePoll();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async listen(client: Client): Promise<void> {
    client.on('notification', ({ channel, payload }) => {
      const topic = CHANNELS[channel];
      if (topic) this.report(topic, payload || null);
    });
    await client.query(
      Object.keys(CHANNELS)
        .map((channel) => `listen ${channel}`)
        .join(';'),
    );
    // After `listen`, so that no change is missed. Earlier changes are unknown, so everything is reported.
    for (const topic of Object.values(CHANNELS)) this.report(topic, null);
  }

  private schedulePoll(): void {
    this.timer = setTimeout(() => void this.poll().finally(() => this.stopped || this.schedulePoll()), POLL_MS);
  }

  private async poll(): Promise<void> {
    if (!this.watch.connected) return;
    // A failure of one poll does not prevent the other. `Database` reports outages.
    await this.keys.poll().catch(() => undefined);
    await this.fingerprints.poll().catch(() => undefined);
  }

  private report(topic: ChangeTopic, id: string | null, changedAtMs?: number): void {
    for (const listener of this.listeners[topic]) listener(id, changedAtMs);
  }
}

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

class ChangedKeysPoll {
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
         (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_drains) as policy,
         (select coalesce(string_agg(xmin::text || ':' || fetched_at, ' '), '') from model_catalog)
         || ' ' ||
         (select count(*) || ':' || coalesce(sum(hashtextextended(upstream, xmin::text::bigint)), 0) from upstream_catalogs) as catalog`;

type Topic = 'policy' | 'catalog';
type Fingerprints = Readonly<Record<Topic, string | null>>;

/**
 * Detects that the policy or the catalog has changed, but not which rows. Both are small, so listeners read them again completely.
 */
class FingerprintPoll {
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
    for (const topic of ['policy', 'catalog'] as const) {
      if (before?.[topic] !== found[topic]) this.report(topic);
    }
  }
}
