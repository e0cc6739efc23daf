import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { CachedRows, SmallTable } from './change-polls.js';
import type { Changes } from './changes.js';
import { SingleFlight } from './single-flight.js';

const RETRY_MS = 500;

interface TableSource<Row> {
  /** A noun for log messages, such as `model policy`. */
  readonly name: string;
  readonly table: SmallTable;
  readonly load: () => Promise<CachedRows<Row>>;
  /** Whether two rows with the same ID are equal. */
  readonly same: (a: Row, b: Row) => boolean;
}

/**
 * A small table that each process keeps in memory, by ID. Changes of other processes arrive within a second (D3). A poll compares
 * the fingerprint of the rows with the table, so rows that differ do not stay longer either.
 */
export abstract class CachedTable<Row> implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reads: RetriedRead;
  private readonly firstRead = Promise.withResolvers<void>();
  private readonly listeners: (() => void)[] = [];
  private cached: ReadonlyMap<string, Row> | null = null;
  private fingerprint: string | null = null;

  constructor(
    private readonly changes: Changes,
    private readonly table: TableSource<Row>,
  ) {
    const logger = new Logger(CachedTable.name);
    this.reads = new RetriedRead({ name: table.name, logger, read: async () => this.replace(await table.load()) });
  }

  onApplicationBootstrap(): void {
    const { table } = this.table;
    this.changes.follow({ table, fingerprint: () => this.fingerprint, refresh: () => void this.refresh() });
    this.reads.start(this.changes);
  }

  onModuleDestroy(): void {
    this.reads.stop();
  }

  get known(): boolean {
    return this.cached !== null;
  }

  get whenKnown(): Promise<void> {
    return this.firstRead.promise;
  }

  of(id: string): Row | undefined {
    return this.cached?.get(id);
  }

  get all(): ReadonlyMap<string, Row> {
    return this.cached ?? new Map();
  }

  /** The listener runs after each read that found a change, and can derive data from the rows. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Resolves after a read that began after this call. Never rejects. */
  refresh(): Promise<void> {
    return this.reads.refresh();
  }

  protected notify(): void {
    for (const listener of this.listeners) listener();
  }

  private replace({ rows, fingerprint }: CachedRows<Row>): void {
    const changed = this.cached === null || !this.isSame(this.cached, rows);
    this.cached = rows;
    this.fingerprint = fingerprint;
    this.firstRead.resolve();
    if (changed) this.notify();
  }

  private isSame(before: ReadonlyMap<string, Row>, rows: ReadonlyMap<string, Row>): boolean {
    if (before.size !== rows.size) return false;
    return [...rows].every(([id, row]) => {
      const old = before.get(id);
      return old !== undefined && this.table.same(old, row);
    });
  }
}

interface Read {
  /** A noun for log messages, such as `limits`. */
  readonly name: string;
  readonly logger: Pick<Logger, 'log' | 'warn'>;
  readonly read: () => Promise<void>;
}

/**
 * Reads data that a process keeps in memory, at startup and after each change of a small table. A failed read is retried every
 * 0.5 s, and the data of the last read stays in use. Only the first of several failures is logged.
 */
export class RetriedRead {
  private readonly reads = new SingleFlight(() => this.attempt());
  private failing = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly given: Read) {}

  /** Does not wait for the first read, because startup without a database must not hang. */
  start(changes: Changes): void {
    changes.subscribe('tables', () => void this.refresh());
    void this.refresh();
  }

  /** Resolves after a read that began after this call. Never rejects. */
  refresh(): Promise<void> {
    return this.reads.ask();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  private async attempt(): Promise<void> {
    const { name, logger, read } = this.given;
    try {
      await read();
      if (this.failing) logger.log(`The ${name} can be read again`);
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        logger.warn(`Cannot read the ${name}: ${error instanceof Error ? error.message : String(error)}`);
      this.failing = true;
      clearTimeout(this.retry);
      if (!this.stopped) this.retry = setTimeout(() => void this.refresh(), RETRY_MS).unref();
    }
  }
}
