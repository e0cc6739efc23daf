import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Changes } from './changes.js';
import { SingleFlight } from './single-flight.js';

const RETRY_MS = 500;

interface TableSource<Row> {
  readonly name: string;
  readonly load: () => Promise<ReadonlyMap<string, Row>>;
  readonly same: (a: Row, b: Row) => boolean;
}

/**
 * A small table that each process keeps in memory. Changes by other processes arrive within a second (D3). If a read fails, the
 * last rows stay in use, and the read is retried every 0.5 s. Only the first failure is logged.
 */
export abstract class CachedTable<Row> implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CachedTable.name);
  private readonly reads = new SingleFlight(() => this.read());
  private readonly firstRead = Promise.withResolvers<void>();
  private readonly listeners: (() => void)[] = [];
  private current: ReadonlyMap<string, Row> | null = null;
  private failing = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    protected readonly changes: Changes,
    private readonly table: TableSource<Row>,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.subscribe('policy', () => void this.refresh());
    // Not awaited, because startup without a database must not hang.
    void this.refresh();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  get known(): boolean {
    return this.current !== null;
  }

  get whenKnown(): Promise<void> {
    return this.firstRead.promise;
  }

  of(model: string): Row | undefined {
    return this.current?.get(model);
  }

  get all(): ReadonlyMap<string, Row> {
    return this.current ?? new Map();
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Resolves after a read that began after this call. Never rejects. */
  async refresh(): Promise<void> {
    await this.reads.ask();
  }

  private async read(): Promise<void> {
    const { name, load } = this.table;
    try {
      this.replace(await load());
      if (this.failing) this.logger.log(`The ${name} can be read again`);
      this.failing = false;
    } catch (error) {
      if (!this.failing)
        this.logger.warn(`Cannot read the ${name}: ${error instanceof Error ? error.message : String(error)}`);
      this.failing = true;
      clearTimeout(this.retry);
      if (!this.stopped) this.retry = setTimeout(() => void this.refresh(), RETRY_MS).unref();
    }
  }

  private replace(rows: ReadonlyMap<string, Row>): void {
    const before = this.current;
    this.current = rows;
    this.firstRead.resolve();
    // Reads after a possibly missed notification usually find no change. Listeners then keep their derived data.
    if (before === null || !this.isSame(before, rows)) for (const listener of this.listeners) listener();
  }

  private isSame(before: ReadonlyMap<string, Row>, rows: ReadonlyMap<string, Row>): boolean {
    if (before.size !== rows.size) return false;
    return [...rows].every(([model, row]) => {
      const old = before.get(model);
      return old !== undefined && this.table.same(old, row);
    });
  }
}
