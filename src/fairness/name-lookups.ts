import type { LookupAddress } from 'node:dns';

/** Called once with what a name leads to. */
export type LookupDone = (error: Error | null, addresses: readonly LookupAddress[]) => void;

/** Resolves a name; nothing stops one that has begun. */
type Lookup = (name: string, done: LookupDone) => void;

/** A name that does not resolve holds one of Node's four threads for seconds; password hashes and files need them too. */
const LOOKUPS_MAX = 3;

/**
 * Names looked up three at a time, each once: who asks for one that is being looked up gets the same answer, so that a name
 * that resolves slowly holds one place however often it is asked for. Who waits is bounded by the connections being made.
 */
export class NameLookups {
  /** By name, the longest waiting first. */
  private readonly asking = new Map<string, Set<LookupDone>>();
  private readonly underWay = new Set<string>();

  constructor(private readonly lookup: Lookup) {}

  /** @returns to be called by who does not want to know any more; a name that nobody waits for is not looked up */
  ask(name: string, done: LookupDone): () => void {
    const waiting = this.asking.get(name) ?? new Set();
    this.asking.set(name, waiting.add(done));
    this.beginNext();
    return () => {
      waiting.delete(done);
      if (waiting.size === 0 && !this.underWay.has(name) && this.asking.get(name) === waiting) this.asking.delete(name);
    };
  }

  private beginNext(): void {
    for (const name of this.asking.keys()) {
      if (this.underWay.size >= LOOKUPS_MAX) return;
      if (!this.underWay.has(name)) this.begin(name);
    }
  }

  private begin(name: string): void {
    this.underWay.add(name);
    this.lookup(name, (error, addresses) => {
      const waiting = this.asking.get(name) ?? [];
      this.asking.delete(name);
      this.underWay.delete(name);
      this.beginNext();
      for (const done of waiting) done(error, addresses);
    });
  }
}
