/** So long work may go on in a turn of the event loop; what has begun ends. Less would make groups smaller that are committed together. */
const TURN_MS = 3;
/** What has taken as long is followed by as long a rest: a request of somebody else needs several turns. */
const LONG_MS = 10;

interface Line {
  readonly waiting: (() => void)[];
  /** What the work of this holder has taken, counted from where the others were when it began to wait. */
  tookMs: number;
}

/**
 * Turns at work that is done at once, a few milliseconds of it in a turn of the event loop: between two of them everybody
 * else is served. What comes on top waits for the next turns, of which each holder has as much time as any other. They
 * follow at once: where nobody else has anything to do, the work of one holder is done as fast as without them.
 */
export class TimeSlices {
  private readonly lines = new Map<string, Line>();
  private turnComes = false;
  private beganAtMs = 0;
  private endsAtMs = 0;
  /** What had been taken by the line that came in last. */
  private tookMs = 0;

  /** @param nowMs milliseconds that never go back */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @returns undefined: at once, else a promise that rejects never; what awaits it works before it awaits anything else */
  enter(holder: string): Promise<void> | undefined {
    if (!this.turnComes) this.awaitTurn();
    else if (this.lines.size > 0 || this.nowMs() - this.beganAtMs >= TURN_MS) return this.wait(holder);
    return undefined;
  }

  private wait(holder: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.lines.get(holder);
    if (line === undefined) this.lines.set(holder, { waiting: [resolve], tookMs: this.tookMs });
    else line.waiting.push(resolve);
    return promise;
  }

  private awaitTurn(): void {
    this.turnComes = true;
    this.beganAtMs = this.nowMs();
    setImmediate(this.turn);
  }

  private readonly turn = (): void => {
    const nowMs = this.nowMs();
    // As long as all the rest of the turn took, where that was longer: a flood of something else does not keep it away.
    this.endsAtMs = nowMs + Math.max(TURN_MS, nowMs - this.beganAtMs);
    this.enterNext(nowMs);
  };

  private enterNext(nowMs: number): void {
    const first = this.first();
    if (first === undefined) this.turnComes = false;
    else if (nowMs >= this.endsAtMs) this.awaitTurn();
    else {
      const [holder, line] = first;
      const enter = line.waiting.shift()!;
      if (line.waiting.length === 0) this.lines.delete(holder);
      this.tookMs = line.tookMs;
      enter();
      // Behind what waits for it.
      queueMicrotask(() => {
        const endedAtMs = this.nowMs();
        line.tookMs += endedAtMs - nowMs;
        if (endedAtMs - nowMs < LONG_MS) this.enterNext(endedAtMs);
        else setTimeout(() => this.awaitTurn(), endedAtMs - nowMs);
      });
    }
  }

  /** The line that has had the least. */
  private first(): [string, Line] | undefined {
    let least: [string, Line] | undefined;
    for (const entry of this.lines) if (least === undefined || entry[1].tookMs < least[1].tookMs) least = entry;
    return least;
  }
}
