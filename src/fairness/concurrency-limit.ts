import { serviceUnavailable } from '../errors/catalogue.js';

interface ConcurrencyBounds {
  /** Inside at once. */
  readonly atOnce: number;
  /** Waiting in line, at most. */
  readonly waiting: number;
  /** How long each of them waits, at most, in milliseconds. */
  readonly waitMs: number;
}

type Enter = () => void;

/**
 * Lets a few pieces of work run at once, the others wait their turn: a flood costs a line, not the machine. Where holders are
 * named it is by their turns, and a holder has no more in line than there is room left: a flood of one refuses itself.
 */
export class ConcurrencyLimit {
  private inside = 0;
  private waiting = 0;
  /** Of each holder that waits, first come first served; in the order of the holders' turns. Null: whoever names none. */
  private readonly lines = new Map<string | null, Set<Enter>>();

  constructor(private readonly bounds: ConcurrencyBounds) {}

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
  enter(holder: string | null = null): Promise<void> | undefined {
    if (this.inside >= this.bounds.atOnce) return this.turn(holder);
    this.inside++;
    return undefined;
  }

  /** The place goes to the next in line, without being free in between. */
  leave(): void {
    const [first] = this.lines;
    if (first === undefined) {
      this.inside--;
      return;
    }
    const [holder, line] = first;
    const [enter] = line;
    this.quit(holder, enter!);
    // To the end of the turns.
    if (this.lines.delete(holder)) this.lines.set(holder, line);
    enter!();
  }

  private turn(holder: string | null): Promise<void> {
    const line = this.lines.get(holder) ?? new Set<Enter>();
    const room = this.bounds.waiting - this.waiting;
    if (room <= 0 || (holder !== null && line.size > room))
      throw serviceUnavailable(new Error('Too many wait in line'));
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.quit(holder, enter);
        reject(serviceUnavailable(new Error('It took too long to come in turn')));
      }, this.bounds.waitMs);
      this.lines.set(holder, line.add(enter));
      this.waiting++;
    });
  }

  private quit(holder: string | null, enter: Enter): void {
    const line = this.lines.get(holder)!;
    line.delete(enter);
    this.waiting--;
    if (line.size === 0) this.lines.delete(holder);
  }
}
