/**
 * Allows one run of `work` at a time. Each caller gets the result of a run that began after its call. Callers that arrive during a
 * run share the next one.
 */
export class SingleFlight<T> {
  private running: Promise<T> | null = null;
  private next: Promise<T> | null = null;

  /** @param work never rejects */
  constructor(private readonly work: () => Promise<T>) {}

  ask(): Promise<T> {
    if (this.next !== null) return this.next;
    if (this.running === null) return this.begin();
    return (this.next = this.running.then(() => {
      this.next = null;
      return this.begin();
    }));
  }

  private begin(): Promise<T> {
    return (this.running = this.work().finally(() => {
      this.running = null;
    }));
  }
}
