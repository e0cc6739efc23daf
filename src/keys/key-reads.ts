import { Injectable } from '@nestjs/common';
import { ApiKeyStore, type ReadKey } from './stores/api-key.store.js';

/** Keys that one statement reads at most. */
const BATCH_MAX = 500;
/** Statements under way at most: two, so that a connection that hangs holds up only the keys that it was asked for. */
const FLIGHTS_MAX = 2;
/** Keys that wait at most. Who comes later would wait in vain. */
const WAITING_MAX = 10_000;

interface Wanted {
  readonly hash: string;
  readonly resolve: (read: ReadKey | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads of keys, many a statement: made-up ones by the thousand, each of them new, take two connections of the general pool
 * and leave the others to changes, usage and operators.
 */
@Injectable()
export class KeyReads {
  private readonly waiting: Wanted[] = [];
  private flights = 0;

  constructor(private readonly store: ApiKeyStore) {}

  /** By a statement that begins after this call. Null: there is no such key. Rejects where it fails, or too many wait. */
  byHash(hash: string): Promise<ReadKey | null> {
    if (this.waiting.length >= WAITING_MAX) return Promise.reject(new Error('too many keys wait to be read'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ hash, resolve, reject });
      if (this.flights === FLIGHTS_MAX) return;
      this.flights += 1;
      // All that come in this turn of the event loop go together.
      setImmediate(() => void this.fly());
    });
  }

  private async fly(): Promise<void> {
    while (this.waiting.length > 0) await this.read(this.waiting.splice(0, BATCH_MAX));
    this.flights -= 1;
  }

  private async read(batch: readonly Wanted[]): Promise<void> {
    try {
      const found = await this.store.readByHashes(batch.map(({ hash }) => hash));
      for (const { hash, resolve } of batch) resolve(found.get(hash) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
