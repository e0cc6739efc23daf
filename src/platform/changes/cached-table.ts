import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Changes } from './changes.js';
import { RetriedRead } from './retried-read.js';

interface TableSource<Row> {
  readonly name: string;
  readonly load: () => Promise<ReadonlyMap<string, Row>>;
  readonly same: (a: Row, b: Row) => boolean;
}

/**
 * A small table that each process keeps in memory. Changes by other processes arrive within a second (D3). While reads fail, the last
 * rows stay in use.
 */
export abstract class CachedTable<Row> implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly reads: RetriedRead;
  private readonly firstRead = Promise.withResolvers<void>();
  private readonly listeners: (() => void)[] = [];
  private current: ReadonlyMap<string, Row> | null = null;

  constructor(
    protected readonly changes: Changes,
    private readonly table: TableSource<Row>,
  ) {
    const { name, load } = table;
    this.reads = new RetriedRead({
      name,
      logger: new Logger(CachedTable.name),
      read: async () => this.replace(await load()),
    });
  }

  onApplicationBootstrap(): void {
    this.changes.subscribe('tables', () => void this.refresh());
    // Not awaited, because startup without a database must not hang.
    void this.refresh();
  }

  onModuleDestroy(): void {
    this.reads.stop();
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
  refresh(): Promise<void> {
    return this.reads.refresh();
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
