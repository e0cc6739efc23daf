import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { KEY_SHARE, WaitingBodies } from './body-memory.js';
import { MemoryBudget } from './memory-budget.js';
import { TimeSlices } from './time-slices.js';

/** The size in memory once parsed. Such a body takes from tens of milliseconds to 0.3 s to parse and check. */
const SLOW_BYTES = 4 * 1024 * 1024;
/** After a slow body, the next one waits this many times as long as it took. Slow bodies use a fifth of the process's time. */
const PAUSE_FACTOR = 4;
/** Parsing a shorter body costs no more than the rest of its request. */
const SHORT_BYTES = 4096;

/** The turn of a slow body, which it holds while it is parsed. */
export interface ParseTurn {
  /** Call it when the body has been parsed and checked, or has failed. Until then, no other slow body is parsed. */
  end(): void;
}

/**
 * Schedules the parsing of bodies, and reserves memory for the result. The budget is separate from `BodyMemory`, because otherwise
 * unparsed bodies could use up the memory that they need for parsing. Slow bodies are parsed one at a time, each in its own turn of
 * the event loop.
 */
@Injectable()
export class ParseQueue {
  private readonly budget: MemoryBudget;
  private readonly waiting: WaitingBodies;
  private readonly slices = new TimeSlices();
  private isTurnTaken = false;
  private turnBeganAtMs = 0;

  constructor({ bodyMemoryBytes }: Config) {
    this.budget = new MemoryBudget(bodyMemoryBytes, bodyMemoryBytes * KEY_SHARE);
    this.waiting = new WaitingBodies(this.budget);
  }

  get bytesHeld(): number {
    return this.budget.bytesHeld;
  }

  /** The bytes that one holder can take. */
  get shareMax(): number {
    return this.budget.shareMax;
  }

  get rejected(): number {
    return this.waiting.rejected;
  }

  /**
   * Reserves memory for a parsed body.
   * @returns undefined if the body is not slow and fits now. Otherwise a promise of its turn, which the caller must end. It rejects with
   *   `service_unavailable` after 10 s
   */
  take(holder: string, bytes: number): Promise<ParseTurn> | undefined {
    if (bytes < SLOW_BYTES && this.budget.take(bytes, holder)) return undefined;
    const admitted = this.waiting.add(holder, bytes);
    this.beginTurn();
    return admitted.then(() => this.turn);
  }

  release(holder: string, bytes: number): void {
    this.budget.release(bytes, holder);
    this.beginTurn();
  }

  /** Schedules a body without a `ParseTurn`. The caller must parse as soon as the promise resolves, or now if it is undefined. */
  enter(holder: string, bodyBytes: number): Promise<void> | undefined {
    return bodyBytes < SHORT_BYTES ? undefined : this.slices.enter(holder);
  }

  private beginTurn(): void {
    if (this.isTurnTaken || this.waiting.isEmpty) return;
    this.isTurnTaken = true;
    setImmediate(() => {
      this.turnBeganAtMs = performance.now();
      if (!this.waiting.admitOne()) this.isTurnTaken = false;
    });
  }

  private readonly turn: ParseTurn = {
    end: () => {
      const parsedMs = performance.now() - this.turnBeganAtMs;
      setTimeout(() => {
        this.isTurnTaken = false;
        this.beginTurn();
      }, parsedMs * PAUSE_FACTOR).unref();
    },
  };
}
