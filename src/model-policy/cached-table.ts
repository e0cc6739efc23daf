import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Changes } from '../changes/changes.js';
import { SingleFlight } from './single-flight.js';

const RETRY_MS = 500;

interface CopiedTable<Row> {
  /** What log lines call it. */
  readonly name: string;
  /** Every row, by model. */
  readonly load: () => Promise<ReadonlyMap<string, Row>>;
  /** Whether two rows are the same to those who listen. */
  readonly same: (a: Row, b: Row) => boolean;
}

/**
 * A small table of the model policy, held in memory whole by each process: a change in another process is here within a
 * second (D3). Where it cannot be read what was last read stays, and it is tried again each half second; the log is told once.
 */
export abstract class CachedTable<Row> implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CachedTable.name);
  private readonly reads = new SingleFlight(() => this.read());
  private readonly firstRead = Promise.withResolvers<void>();
  private readonly listeners: (() => void)[] = [];
  private held: ReadonlyMap<string, Row> | null = null;
  private failing = false;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    protected readonly changes: Changes,
    private readonly table: CopiedTable<Row>,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.subscribe('policy', () => void this.refresh());
    // Not waited for: a start without database must not hang.
    void this.refresh();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.retry);
  }

  /** It has been read at least once. */
  get known(): boolean {
    return this.held !== null;
  }

  get whenKnown(): Promise<void> {
    return this.firstRead.promise;
  }

  /** undefined: no row, or nothing known yet. */
  of(model: string): Row | undefined {
    return this.held?.get(model);
  }

  /** Every row by model; empty until the first read. */
  get all(): ReadonlyMap<string, Row> {
    return this.held ?? new Map();
  }

  /** Called after a read that found something else than the one before. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads the table by a read that begins after this call; never rejects. */
  async refresh(): Promise<void> {
    await this.reads.ask();
  }

  private async read(): Promise<void> {
    const { name, load } = this.table;
    try {
      this.take(await load());
      if (this.failing) this.logger.log(`${name} can be read again`);
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.logger.warn(`${name} cannot be read: ${String(error)}`);
      this.failing = true;
      clearTimeout(this.retry);
      if (!this.stopped) this.retry = setTimeout(() => void this.refresh(), RETRY_MS).unref();
    }
  }

  private take(rows: ReadonlyMap<string, Row>): void {
    const before = this.held;
    this.held = rows;
    this.firstRead.resolve();
    // Most reads follow a notice that may have been missed and find nothing new: what others derived stays good then.
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
