import { Injectable } from '@nestjs/common';
import { BodyMemory } from './body-memory.js';
import { TimeSlices } from './time-slices.js';

/** What takes more than that takes tens of milliseconds to be parsed and judged, the worst a second or two. */
const SLOW_BYTES = 4 * 1024 * 1024;
/** After each of them the others rest for as many times what it took: a fifth of the process's time is theirs, whoever sends them. */
const RESTS = 4;
/** Shorter bodies cost no more than their requests do, whatever is in them. */
const SHORT_BYTES = 4096;

/**
 * The same bound as `BodyMemory` again, for what bodies become when they are parsed. Apart, or bodies that wait to be parsed would keep each other waiting.
 * Slow ones get it one by one, a turn of the event loop each: between two of them everybody else is served. Of the others
 * few milliseconds' worth are parsed in one turn.
 */
@Injectable()
export class ParseQueue extends BodyMemory {
  private turnTaken = false;
  private readonly others = new TimeSlices();

  override take(holder: string, bytes: number): Promise<void> | undefined {
    if (bytes < SLOW_BYTES) return super.take(holder, bytes);
    const taken = this.wait(holder, bytes);
    this.admitWaiters();
    return taken;
  }

  /**
   * The turn of a body that is not slow, by turns of the holders; it is parsed as soon as that has come.
   * @returns undefined: this one, else a promise that it has come
   */
  enter(holder: string, bodyBytes: number): Promise<void> | undefined {
    return bodyBytes < SHORT_BYTES ? undefined : this.others.enter(holder);
  }

  protected override admitWaiters(): void {
    if (this.turnTaken) return;
    this.turnTaken = true;
    setImmediate(() => {
      const beganAtMs = performance.now();
      const endTurn = () => {
        this.turnTaken = false;
        this.admitWaiters();
      };
      if (!this.admitFirst()) this.turnTaken = false;
      // It is parsed and judged before the event loop comes round again.
      else setImmediate(() => setTimeout(endTurn, (performance.now() - beganAtMs) * RESTS).unref());
    });
  }
}
