import { Injectable } from '@nestjs/common';
import { BodyMemory } from './body-memory.js';
import { TimeSlices } from './time-slices.js';

/** The size in memory once parsed. Such a body takes from tens of milliseconds to 0.3 s to parse and check. */
const SLOW_BYTES = 4 * 1024 * 1024;
/** After a slow body, the next one waits this many times as long as it took. Slow bodies use a fifth of the process's time. */
const PAUSE_FACTOR = 4;
/** Parsing a shorter body costs no more than the rest of its request. */
const SHORT_BYTES = 4096;

/**
 * The memory budget for parsed bodies. It is separate from `BodyMemory`. Otherwise, unparsed bodies could use up the memory that
 * they need for parsing. Slow bodies are parsed one at a time, each in its own turn of the event loop.
 */
@Injectable()
export class ParseQueue extends BodyMemory {
  private readonly slices = new TimeSlices();
  private slowTurn = false;

  /** Also waits for the turn of a slow body. The caller must parse as soon as the promise resolves. */
  override take(holder: string, bytes: number): Promise<void> | undefined {
    if (bytes < SLOW_BYTES) return super.take(holder, bytes);
    const taken = this.wait(holder, bytes);
    this.admitWaiters();
    return taken;
  }

  /** Schedules a body that is not slow. The caller must parse as soon as the promise resolves, or now if it is undefined. */
  enter(holder: string, bodyBytes: number): Promise<void> | undefined {
    return bodyBytes < SHORT_BYTES ? undefined : this.slices.enter(holder);
  }

  protected override admitWaiters(): void {
    if (this.slowTurn) return;
    this.slowTurn = true;
    setImmediate(this.admitOne);
  }

  private readonly admitOne = (): void => {
    const beganAtMs = performance.now();
    if (!this.admitFirst()) {
      this.slowTurn = false;
      return;
    }
    // The body is parsed and checked before the next turn of the event loop.
    setImmediate(() => {
      const parsedMs = performance.now() - beganAtMs;
      setTimeout(this.endTurn, parsedMs * PAUSE_FACTOR).unref();
    });
  };

  private readonly endTurn = (): void => {
    this.slowTurn = false;
    this.admitWaiters();
  };
}
