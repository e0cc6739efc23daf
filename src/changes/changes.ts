import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { WatchConnection } from '../database/watch-connection.js';
import { ChangedKeysPoll } from './changed-keys-poll.js';
import { FingerprintPoll } from './fingerprint-poll.js';

const CHANNELS: Readonly<Record<string, ChangeTopic>> = { gw_key: 'key', gw_policy: 'policy', gw_catalog: 'catalog' };
const POLL_MS = 400;

/** What another process can change: a key, the model policy, the stored catalog. */
export type ChangeTopic = 'key' | 'policy' | 'catalog';

/**
 * `id` names the row (key ID, model ID). Null: notifications may have been missed, so any row of the topic may have changed.
 * `changedAtMs`, by the database's clock, milliseconds since 1970: only if the poll found a changed key.
 */
export type ChangeListener = (id: string | null, changedAtMs?: number) => void;

/**
 * Reports to the caches of this process what any process has changed. Fresh, not exact: decisions by a cached key ask
 * admission for its version. Triggers send notifications (`gw_key`, `gw_policy`, `gw_catalog`) within milliseconds; a poll
 * every 400 ms backs them up. Both use the connection that watches the database.
 */
@Injectable()
export class Changes implements OnModuleInit, OnModuleDestroy {
  private readonly listeners: Record<ChangeTopic, ChangeListener[]> = { key: [], policy: [], catalog: [] };
  private readonly keys: ChangedKeysPoll;
  private readonly rest: FingerprintPoll;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly watch: WatchConnection) {
    const query = watch.query.bind(watch);
    this.keys = new ChangedKeysPoll(query, (id, changedAtMs) => this.report('key', id, changedAtMs));
    this.rest = new FingerprintPoll(query, (topic) => this.report(topic, null));
    watch.onConnect((client) => this.listen(client));
  }

  /** Listeners are called in order, must not throw, and stay for the life of the process. */
  subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    this.listeners[topic].push(listener);
  }

  onModuleInit(): void {
    this.pollLater();
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
    // After `listen`, so that no change falls in between. Changes before it are unknown.
    for (const topic of Object.values(CHANNELS)) this.report(topic, null);
  }

  /** The next poll is scheduled at the end of this one, so only one runs at a time, however slow the database is. */
  private pollLater(): void {
    this.timer = setTimeout(() => void this.poll().finally(() => this.stopped || this.pollLater()), POLL_MS);
  }

  private async poll(): Promise<void> {
    if (!this.watch.connected) return;
    // Independently. A failed poll is repeated; other parts report that the database is unavailable.
    await this.keys.poll().catch(() => undefined);
    await this.rest.poll().catch(() => undefined);
  }

  private report(topic: ChangeTopic, id: string | null, changedAtMs?: number): void {
    for (const listener of this.listeners[topic]) listener(id, changedAtMs);
  }
}
