import { serviceUnavailable } from '../errors/catalogue.js';

const BATCH_MAX = 500;
/** Concurrent statements: two, so that a hanging connection delays only its own reads. */
const FLIGHTS_MAX = 2;
/** Reads beyond this number would time out anyway. */
const WAITING_MAX = 10_000;

interface Wanted<Row> {
  readonly name: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines lookups of API keys or sessions into batches. A flood of invalid keys or cookies uses at most two pool connections
 * and leaves the others to the rest of the gateway.
 */
export class BatchedReads<Row> {
  private readonly waiting: Wanted<Row>[] = [];
  private flights = 0;

  constructor(private readonly readAll: (names: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {}

  /**
   * @returns the row as of a statement that starts after this call, or null if it does not exist
   * @throws GatewayError `service_unavailable` if too many reads are waiting; also the errors of the statement
   */
  read(name: string): Promise<Row | null> {
    if (this.waiting.length >= WAITING_MAX)
      return Promise.reject(serviceUnavailable(new Error('too many reads are waiting')));
    return new Promise((resolve, reject) => {
      this.waiting.push({ name, resolve, reject });
      if (this.flights === FLIGHTS_MAX) return;
      this.flights += 1;
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
