import type { LookupAddress } from 'node:dns';

/** Called once with the result of a lookup. */
export type LookupDone = (error: Error | null, addresses: readonly LookupAddress[]) => void;

/** Resolves a name. A lookup that has started cannot be cancelled. */
type Lookup = (name: string, done: LookupDone) => void;

/** A name that does not resolve blocks one of Node's four threads for seconds. Password hashes and files need them too. */
const LOOKUPS_MAX = 3;

/**
 * Resolves names, three at a time and each only once: callers that ask for the same name share one lookup. So a name that
 * resolves slowly blocks one thread, however often it is needed. The connections being made bound the callers that wait.
 */
export class NameLookups {
  /** The callers of each name. The names are in the order in which they were asked for. */
  private readonly waiting = new Map<string, Set<LookupDone>>();
  private readonly running = new Set<string>();

  constructor(private readonly lookup: Lookup) {}

  /** @returns a function that cancels. A name for which no caller waits is not looked up. */
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
