import { Clock } from '../../src/clock/clock.js';

/** Stands at a moment until it is put to another. */
export class MovedClock extends Clock {
  constructor(private ms = Date.now()) {
    super();
  }

  static at(moment: string): MovedClock {
    return new MovedClock(Date.parse(moment));
  }

  override now(): number {
    return this.ms;
  }

  put(moment: string | number): void {
    this.ms = typeof moment === 'number' ? moment : Date.parse(moment);
  }
}
