import type { QuotaStore } from '../../src/quota/stores/quota-store.js';
import type { KeySnapshot } from '../../src/request-context/key-snapshot.js';

const ASKED_AT_ONCE = 5;

/** Asks for a key at some stores, one call after the other at each, until it is stopped or told how often. */
export class QuotaLoad {
  granted = 0;
  calls = 0;
  longestMs = 0;
  private stopped = false;
  private readonly clients: Promise<void>[];

  constructor(
    stores: readonly QuotaStore[],
    private readonly key: KeySnapshot,
  ) {
    this.clients = stores.map((store) => this.ask(store));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async ask(store: QuotaStore): Promise<void> {
    while (!this.stopped) {
      const beganAtMs = performance.now();
      const answers = await store.admit([{ ...this.key, keyId: this.key.id, count: ASKED_AT_ONCE }]);
      this.longestMs = Math.max(this.longestMs, performance.now() - beganAtMs);
      const answer = answers.get(this.key.id)!;
      if (answer.kind !== 'decided') throw new Error(`Not decided: ${answer.kind}`);
      this.granted += answer.granted;
      this.calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
