import { Injectable } from '@nestjs/common';
import { BodyMemory } from './body-memory.js';
import { TimeSlices } from './time-slices.js';

/** A body that takes more memory than this when parsed takes tens of milliseconds to parse and judge, at worst 2 s. */
const SLOW_BYTES = 4 * 1024 * 1024;
/** After each slow body, the others wait four times as long as it took. So slow bodies take a fifth of the process's time. */
const RESTS = 4;
/** Shorter bodies cost no more than the rest of their request, whatever they contain. */
const SHORT_BYTES = 4096;

/**
 * Memory for parsed bodies, with the same bounds as `BodyMemory`. It is separate, because otherwise bodies that wait to be
 * parsed would hold the memory that each of them needs. Slow bodies are parsed one by one, each in its own turn of the event
 * loop. Other bodies get time slices.
 */
@Injectable()
export class ParseQueue extends BodyMemory {
  private parsing = false;
  private readonly slices = new TimeSlices();

  override take(holder: string, bytes: number): Promise<void> | undefined {
    if (bytes < SLOW_BYTES) return super.take(holder, bytes);
    const taken = this.wait(holder, bytes);
    this.admitWaiters();
    return taken;
  }

  /**
   * The time slice of a body that is not slow. The caller parses it as soon as the promise resolves.
   * @returns undefined if it can be parsed now
   */
  enter(holder: string, bodyBytes: number): Promise<void> | undefined {
    return bodyBytes < SHORT_BYTES ? undefined : this.slices.enter(holder);
  }

  protected override admitWaiters(): void {
    if (this.parsing) return;
    this.parsing = true;
    setImmediate(() => {
      const beganAtMs = performance.now();
      const endTurn = () => {
        this.parsing = false;
        this.admitWaiters();
      };
      if (!this.admitFirst()) this.parsing = false;
      // The body is parsed and judged before the next turn of the event loop.
      else setImmediate(() => setTimeout(endTurn, (performance.now() - beganAtMs) * RESTS).unref());
    });
  }
}
