import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Series } from './metrics.js';

const SAMPLE_INTERVAL_MS = 10;

/** Node's figures include the interval of its own timer, so `lagOf` subtracts it. */
export class EventLoopLag {
  private readonly delays = monitorEventLoopDelay({ resolution: SAMPLE_INTERVAL_MS });

  start(): void {
    this.delays.enable();
  }

  /** The delays since the previous call, in seconds: median, 99th percentile and maximum. */
  read(): Series[] {
    const { delays } = this;
    const lags = [
      { labels: { quantile: '0.5' }, value: lagOf(delays.percentile(50)) },
      { labels: { quantile: '0.99' }, value: lagOf(delays.percentile(99)) },
      { labels: { quantile: '1' }, value: lagOf(delays.max) },
    ];
    delays.reset();
    return lags;
  }
}

const lagOf = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - SAMPLE_INTERVAL_MS / 1000);
