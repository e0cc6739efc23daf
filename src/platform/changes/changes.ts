import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Client, QueryResultRow } from 'pg';
import { WatchConnection } from '../database/watch-connection.js';
import { ChangedKeysPoll, FingerprintPoll } from './change-polls.js';

/**
 * - `key`: an API key.
 * - `tables`: the small tables that each process keeps in memory: model policy, probes, drains, prices and limits.
 * - `catalog`: the model list of a provider.
 */
export type ChangeTopic = 'key' | 'tables' | 'catalog';

/** Triggers use these names, and the previous release listens to them. */
const CHANNELS: Readonly<Record<string, ChangeTopic>> = { gw_key: 'key', gw_policy: 'tables', gw_catalog: 'catalog' };
const POLL_MS = 400;

/** Runs a statement on the connection for changes. @throws without a connection, or if the statement fails */
export type DatabaseQuery = <R extends QueryResultRow>(sql: string, parameters?: unknown[]) => Promise<R[]>;

interface PollWork {
  /** Runs on each new connection, before any topic is reported. If it fails, the connection is used nevertheless. */
  readonly connected: (query: DatabaseQuery) => Promise<void>;
  readonly poll: (query: DatabaseQuery) => Promise<void>;
}

/**
 * @param id ID of the changed row, or null if any row might have changed
 * @param changedAtMs the database's time in milliseconds since 1970, only from the poll for changed keys
 */
export type ChangeListener = (id: string | null, changedAtMs?: number) => void;

/**
 * Reports changes that any process makes. Triggers send notifications within milliseconds, and a poll every 400 ms finds changes
 * whose notification was lost. Exact decisions do not depend on either, because admission checks the version of a cached key.
 */
@Injectable()
export class Changes implements OnModuleInit, OnModuleDestroy {
  private readonly listeners: Record<ChangeTopic, ChangeListener[]> = { key: [], tables: [], catalog: [] };
  private readonly keys: ChangedKeysPoll;
  private readonly fingerprints: FingerprintPoll;
  private readonly works: PollWork[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private connected = 0;

  constructor(private readonly watch: WatchConnection) {
    const query = watch.query.bind(watch);
    this.keys = new ChangedKeysPoll(query, (id, changedAtMs) => this.report('key', id, changedAtMs));
    this.fingerprints = new FingerprintPoll(query, () => this.report('catalog', null));
    watch.onConnect((client) => this.listen(client));
  }

  /** Number of connections that reported changes so far. After a new one, no version of an earlier read is trusted. */
  get connections(): number {
    return this.connected;
  }

  /** Calls `refresh` while a poll finds that the rows in memory differ from the table. */
  follow(...table: Parameters<FingerprintPoll['follow']>): void {
    this.fingerprints.follow(...table);
  }

  /** Must be called before the application starts. */
  addPoll(work: PollWork): void {
    this.works.push(work);
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
    // A standby cannot listen. The polls still find changes.
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    const statements = Object.keys(CHANNELS).map((channel) => `listen ${channel}`);
    if (!rows[0]!.standby) await client.query(statements.join(';'));
    this.connected += 1;
    const query = async <R extends QueryResultRow>(sql: string, parameters?: unknown[]) =>
      (await client.query<R>(sql, parameters)).rows;
    for (const { connected } of this.works) await connected(query).catch(() => undefined);
    // Changes before `listen` might have been missed.
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
    const query: DatabaseQuery = (sql, parameters) => this.watch.query(sql, parameters);
    for (const { poll } of this.works) await poll(query).catch(() => undefined);
  }

  private report(topic: ChangeTopic, id: string | null, changedAtMs?: number): void {
    for (const listener of this.listeners[topic]) listener(id, changedAtMs);
  }
}
