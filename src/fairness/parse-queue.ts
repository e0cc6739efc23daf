import { Injectable } from '@nestjs/common';
import { BodyMemory } from './body-memory.js';
import { TimeSlices } from './time-slices.js';

/** A body whose parsed form is larger takes tens of milliseconds to parse and check, and up to 2 s. */
const SLOW_BYTES = 4 * 1024 * 1024;
/** After a slow body, the next one waits four times as long as it took. So slow bodies use a fifth of the process's time. */
const RESTS = 4;
/** Parsing a shorter body costs no more than the rest of its request. */
const SHORT_BYTES = 4096;

/**
 * The memory budget for parsed bodies, with the same limits as `BodyMemory`. With a shared budget, unparsed bodies could hold
 * the memory that each of them needs for parsing. Slow bodies are parsed one at a time, each in its own turn of the event
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
   * Waits for the time slice of a body that is not slow. The caller must parse the body as soon as the promise resolves.
   * @returns undefined if the body can be parsed now
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
      // The body is parsed and checked before the next turn of the event loop.
      else setImmediate(() => setTimeout(endTurn, (performance.now() - beganAtMs) * RESTS).unref());
    });
  }
}
