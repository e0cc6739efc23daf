import { serviceUnavailable } from '../errors/catalogue.js';

/** What one statement reads at most. */
const BATCH_MAX = 500;
/** Statements under way at most: two, so that a connection that hangs holds up only what it was asked for. */
const FLIGHTS_MAX = 2;
/** How many wait at most. Who comes later would wait in vain. */
const WAITING_MAX = 10_000;

interface Wanted<Row> {
  readonly name: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Look-ups of callers, many a statement: made-up keys or cookies by the thousand, each of them new, take two connections of
 * the general pool and leave the others to changes, usage and operators.
 */
export class BatchedReads<Row> {
  private readonly waiting: Wanted<Row>[] = [];
  private flights = 0;

  /** @param readAll the rows that there are, by their names; one statement */
  constructor(private readonly readAll: (names: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {}

  /**
   * By a statement that begins after this call. Null: there is no such row. Rejects as the statement does.
   * @throws GatewayError `service_unavailable` where too many wait
   */
  read(name: string): Promise<Row | null> {
    if (this.waiting.length >= WAITING_MAX)
      return Promise.reject(serviceUnavailable(new Error('too many wait to be read')));
    return new Promise((resolve, reject) => {
      this.waiting.push({ name, resolve, reject });
      if (this.flights === FLIGHTS_MAX) return;
      this.flights += 1;
      // All that come in this turn of the event loop go together.
      setImmediate(() => void this.fly());
    });
  }

  private async fly(): Promise<void> {
    while (this.waiting.length > 0) await this.readBatch(this.waiting.splice(0, BATCH_MAX));
    this.flights -= 1;
  }

  private async readBatch(batch: readonly Wanted<Row>[]): Promise<void> {
    try {
      const rows = await this.readAll(batch.map(({ name }) => name));
      for (const { name, resolve } of batch) resolve(rows.get(name) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
