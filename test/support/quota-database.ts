import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Transactions, type Transaction } from '../../src/platform/database/transactions.js';
import type { KeySnapshot } from '../../src/platform/request-context/key-snapshot.js';
import { QuotaReset, type ResettableWindow } from '../../src/quota/quota-reset.js';
import type { StoredCounts, QuotaLimits } from '../../src/quota/verdict.rules.js';
import { DatabaseClock } from './database-clock.js';
import { createScratchDatabase } from './scratch-database.js';
import { until } from './until.js';

const PLENTY: QuotaLimits = {
  rpmLimit: 1e6,
  rpdLimit: 1e6,
  monthlyLimit: null,
  monthlyTokenLimit: null,
  tokenCounting: 'specification',
};

type StoredRow = Pick<StoredCounts, 'minute' | 'minuteUsed' | 'day' | 'dayUsed' | 'month' | 'monthUsed' | 'version'>;

interface Held {
  release(): Promise<void>;
}

export class QuotaDatabase {
  private constructor(
    readonly url: string,
    readonly client: Client,
    private readonly clock: DatabaseClock,
    private readonly source: DataSource,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async create(): Promise<QuotaDatabase> {
    const { url, drop } = await createScratchDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    const clock = await DatabaseClock.install((sql, parameters) => client.query(sql, parameters));
    await DatabaseClock.readOn(client);
    const source = await new DataSource({ type: 'postgres', url, installExtensions: false }).initialize();
    return new QuotaDatabase(url, client, clock, source, drop);
  }

  async drop(): Promise<void> {
    await this.source.destroy();
    await this.client.end();
    await this.dropDatabase();
  }

  /** @param ms milliseconds since 1970; null restores the real time */
  setNow(ms: number | null): Promise<void> {
    return this.clock.put(ms);
  }

  async addKey(limits: Partial<QuotaLimits> = {}): Promise<KeySnapshot> {
    const all = { ...PLENTY, ...limits };
    const { rows } = await this.client.query<{ id: string }>(
      `insert into api_keys (name, key_hash, key_hint, rpm_limit, rpd_limit, monthly_limit, monthly_token_limit, token_counting)
       values ('a key', $1, 'sk-gw-…abcd', $2, $3, $4, $5, $6) returning id`,
      [randomBytes(32), all.rpmLimit, all.rpdLimit, all.monthlyLimit, all.monthlyTokenLimit, all.tokenCounting],
    );
    const id = rows[0]!.id;
    return {
      id,
      name: 'a key',
      teamId: null,
      tags: [],
      status: 'active',
      allowedModels: null,
      expiresAtMs: null,
      lastUsedAtMs: null,
      ...all,
      version: (await this.stored(id)).version,
    };
  }

  /** Changes the key as an operator does. A trigger raises its version. */
  async changeKey(key: KeySnapshot): Promise<KeySnapshot> {
    await this.client.query('update api_keys set name = name where id = $1', [key.id]);
    return { ...key, version: (await this.stored(key.id)).version };
  }

  transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Transactions(this.source).run(work);
  }

  async resetKey(key: KeySnapshot, window: ResettableWindow): Promise<KeySnapshot> {
    await this.transact((transaction) => new QuotaReset().reset(transaction, key.id, window));
    return { ...key, version: (await this.stored(key.id)).version };
  }

  async recordTokens(keyId: string, month: number, tokens: number, additional = 0): Promise<void> {
    await this.client.query(
      'insert into usage_monthly (key_id, month, input_tokens, output_tokens, additional_tokens) values ($1, $2, $3, 1, $4)',
      [keyId, month, tokens - 1, additional],
    );
  }

  async stored(keyId: string): Promise<StoredRow> {
    const { rows } = await this.client.query<Record<keyof StoredRow, string>>(
      `select version, minute, minute_count "minuteUsed", day, day_count "dayUsed", month, month_count "monthUsed"
         from key_quota where key_id = $1`,
      [keyId],
    );
    return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)])) as StoredRow &
      Record<string, number>;
  }

  async terminateStores(): Promise<void> {
    await this.client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'gateway admission'`,
    );
  }

  /** Locks the row of the key in a separate transaction until `release`. */
  holdRow(keyId: string): Promise<Held> {
    return this.hold('select from key_quota where key_id = $1 for update', [keyId]);
  }

  /** Locks the rows of all stores' writers until `release`, so that no store can write. */
  holdWriters(): Promise<Held> {
    return this.hold('select from quota_writer for update');
  }

  private async hold(statement: string, parameters: unknown[] = []): Promise<Held> {
    const holder = new Client({ connectionString: this.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query(statement, parameters);
    return {
      release: async () => {
        await holder.query('commit');
        await holder.end();
      },
    };
  }

  async untilStoreWaits(): Promise<void> {
    await until(async () => {
      const { rowCount } = await this.client.query(
        `select from pg_stat_activity where datname = current_database()
            and application_name = 'gateway admission' and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
  }
}
