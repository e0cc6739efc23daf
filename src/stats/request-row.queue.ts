import type { RequestRow } from './request-row.js';

/** Rows that wait to be written. Bounded: beyond the bound the oldest are dropped, and counted. */
export class RequestRowQueue {
  private rows: RequestRow[] = [];
  /** Rows before it are taken; the array is cut only now and then. */
  private first = 0;
  private droppedRows = 0;

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows.length - this.first;
  }

  /** Rows dropped since the start of the process. */
  get dropped(): number {
    return this.droppedRows;
  }

  push(row: RequestRow): void {
    this.rows.push(row);
    if (this.size > this.rowsMax) this.drop(1);
    if (this.first > this.rowsMax) this.cut();
  }

  /** The oldest rows, `count` at most; they are not in the queue any more. */
  take(count: number): RequestRow[] {
    const taken = this.rows.slice(this.first, this.first + count);
    this.first += taken.length;
    if (this.size === 0) this.cut();
    return taken;
  }

  /** Rows that were taken and could not be written: they are the oldest again, as many as there is room for. */
  putBack(rows: readonly RequestRow[]): void {
    const room = this.rowsMax - this.size;
    const kept = room >= rows.length ? rows : rows.slice(rows.length - room);
    this.droppedRows += rows.length - kept.length;
    this.rows = [...kept, ...this.rows.slice(this.first)];
    this.first = 0;
  }

  /** Rows that were taken and can never be written. */
  lose(rows: readonly RequestRow[]): void {
    this.droppedRows += rows.length;
  }

  private drop(count: number): void {
    this.first += count;
    this.droppedRows += count;
  }

  private cut(): void {
    this.rows = this.rows.slice(this.first);
    this.first = 0;
  }
}
