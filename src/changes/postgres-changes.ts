import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Client } from 'pg';
import { WatchConnection } from '../database/watch-connection.js';
import { Changes, type ChangeListener, type ChangeTopic } from './changes.js';
import { ChangedKeysPoll } from './changed-keys-poll.js';
import { FingerprintPoll } from './fingerprint-poll.js';

const CHANNELS: Readonly<Record<string, ChangeTopic>> = { gw_key: 'key', gw_policy: 'policy', gw_catalog: 'catalog' };
const POLL_MS = 400;

/** Notices of PostgreSQL, and what a poll finds. Both go by the connection that watches the database. */
@Injectable()
export class PostgresChanges extends Changes implements OnModuleInit, OnModuleDestroy {
  private readonly listeners: Record<ChangeTopic, ChangeListener[]> = { key: [], policy: [], catalog: [] };
  private readonly keys: ChangedKeysPoll;
  private readonly rest: FingerprintPoll;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly watch: WatchConnection) {
    super();
    const query = watch.query.bind(watch);
    this.keys = new ChangedKeysPoll(query, (id, changedAtMs) => this.tell('key', id, changedAtMs));
    this.rest = new FingerprintPoll(query, (topic) => this.tell(topic, null));
    watch.onConnect((client) => this.listen(client));
  }

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
      if (topic) this.tell(topic, payload || null);
    });
    await client.query(
      Object.keys(CHANNELS)
        .map((channel) => `listen ${channel}`)
        .join(';'),
    );
    // After listening, so that nothing falls in between: what happened while nobody listened is not known.
    for (const topic of Object.values(CHANNELS)) this.tell(topic, null);
  }

  /** The next one is counted from the end of this one: however slow the database, there is one at a time. */
  private pollLater(): void {
    this.timer = setTimeout(() => void this.poll().finally(() => this.stopped || this.pollLater()), POLL_MS);
  }

  private async poll(): Promise<void> {
    if (!this.watch.connected) return;
    // Each by itself. What fails is asked again; that the database is away is for others to say.
    await this.keys.look().catch(() => undefined);
    await this.rest.look().catch(() => undefined);
  }

  private tell(topic: ChangeTopic, id: string | null, changedAtMs?: number): void {
    for (const listener of this.listeners[topic]) listener(id, changedAtMs);
  }
}
