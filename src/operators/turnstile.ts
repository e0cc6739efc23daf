import { serviceUnavailable } from '../errors/catalogue.js';

interface TurnstileBounds {
  /** Inside at once. */
  readonly atOnce: number;
  /** Waiting in line, at most. */
  readonly waiting: number;
  /** How long each of them waits, at most, in milliseconds. */
  readonly waitMs: number;
}

/** Lets a few pieces of work run at once, the others wait their turn: a flood costs a line, not the machine. */
export class Turnstile {
  private inside = 0;
  private readonly line = new Set<() => void>();

  constructor(private readonly bounds: TurnstileBounds) {}

  /** What `work` answers or throws. @throws GatewayError `service_unavailable` where the line is full or too slow */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.enter();
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * For work that ends elsewhere: `leave` is called once for each that has entered.
   * @returns undefined: at once. @throws GatewayError as `pass` does, at once or later
   */
  enter(): Promise<void> | undefined {
    if (this.inside >= this.bounds.atOnce) return this.turn();
    this.inside++;
    return undefined;
  }

  /** The place goes to the first in line, without being free in between. */
  leave(): void {
    const [next] = this.line;
    if (next === undefined) this.inside--;
    else {
      this.line.delete(next);
      next();
    }
  }

  private turn(): Promise<void> {
    if (this.line.size >= this.bounds.waiting) throw serviceUnavailable(new Error('Too many wait in line'));
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.line.delete(enter);
        reject(serviceUnavailable(new Error('It took too long to come in turn')));
      }, this.bounds.waitMs);
      this.line.add(enter);
    });
  }
}
