import type { LookupAddress } from 'node:dns';

export type LookupDone = (error: Error | null, addresses: readonly LookupAddress[]) => void;

type Lookup = (name: string, done: LookupDone) => void;

/** A lookup that times out blocks one of Node's four threads for seconds. Password hashes and files need them too. */
const LOOKUPS_MAX = 3;

/** Resolves at most three names at a time. Callers with the same name share one lookup, so a slow name blocks only one thread. */
export class DnsLookups {
  private readonly waiting = new Map<string, Set<LookupDone>>();
  private readonly running = new Set<string>();

  constructor(private readonly lookup: Lookup) {}

  /** @returns a function that cancels the request. A queued name without callers is not looked up */
  ask(name: string, done: LookupDone): () => void {
    const callers = this.waiting.get(name) ?? new Set();
    this.waiting.set(name, callers.add(done));
    this.startNext();
    return () => {
      callers.delete(done);
      if (callers.size === 0 && !this.running.has(name) && this.waiting.get(name) === callers)
        this.waiting.delete(name);
    };
  }

  private startNext(): void {
    for (const name of this.waiting.keys()) {
      if (this.running.size >= LOOKUPS_MAX) return;
      if (!this.running.has(name)) this.start(name);
    }
  }

  private start(name: string): void {
    this.running.add(name);
    this.lookup(name, (error, addresses) => {
      const callers = this.waiting.get(name) ?? [];
      this.waiting.delete(name);
      this.running.delete(name);
      this.startNext();
      for (const done of callers) done(error, addresses);
    });
  }
}
