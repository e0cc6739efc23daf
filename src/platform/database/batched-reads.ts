import { serviceUnavailable } from '../errors/error-factories.js';

const BATCH_MAX = 500;
/** More than one, so that a hanging connection delays only its own reads. */
const CONCURRENT_BATCHES_MAX = 2;
/** Reads beyond this number would time out anyway. */
const WAITING_MAX = 10_000;

interface PendingRead<Row> {
  readonly name: string;
  readonly resolve: (row: Row | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches lookups of keys, sessions or stored objects, so that a flood of invalid ones uses at most two pool connections. */
export class BatchedReads<Row> {
  private readonly waiting: PendingRead<Row>[] = [];
  private runningBatches = 0;

  constructor(private readonly readAll: (names: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {}

  /** Reads with a statement that starts after this call. @throws GatewayError `service_unavailable` if too many reads wait */
  read(name: string): Promise<Row | null> {
    if (this.waiting.length >= WAITING_MAX)
      return Promise.reject(serviceUnavailable(new Error('too many reads are waiting')));
    return new Promise((resolve, reject) => {
      this.waiting.push({ name, resolve, reject });
      if (this.runningBatches === CONCURRENT_BATCHES_MAX) return;
      this.runningBatches += 1;
      // Calls in the same turn of the event loop share a batch.
      setImmediate(() => void this.readBatches());
    });
  }

  private async readBatches(): Promise<void> {
    while (this.waiting.length > 0) await this.readBatch(this.waiting.splice(0, BATCH_MAX));
    this.runningBatches -= 1;
  }

  private async readBatch(batch: readonly PendingRead<Row>[]): Promise<void> {
    try {
      const rows = await this.readAll(batch.map(({ name }) => name));
      for (const { name, resolve } of batch) resolve(rows.get(name) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
