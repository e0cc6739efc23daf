/** The wall clock, injected so that tests can move it. Quota windows go by the database's clock, not by this one. */
export class Clock {
  /** Milliseconds since 1970. */
  now(): number {
    return Date.now();
  }
}
