import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { WatchConnection } from '../database/watch-connection.js';
import { ChangedKeysPoll, FingerprintPoll } from './change-polls.js';

/** The names of the channels are in triggers, and older processes listen to them. `gw_policy` reports all small tables. */
const CHANNELS: Readonly<Record<string, ChangeTopic>> = { gw_key: 'key', gw_policy: 'tables', gw_catalog: 'catalog' };
const POLL_MS = 400;

/** `tables`: the small tables that each process keeps in memory, such as the model policy, limits, probes and drains. */
export type ChangeTopic = 'key' | 'tables' | 'catalog';

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
  private readonly listeners: Record<ChangeTopic, ChangeListener[]> = { key: [], tables: [], catalog: [] };
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
