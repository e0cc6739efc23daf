import type { Stoppable } from '../platform/lifecycle.js';

/**
 * Polling works with swapped symlinks, network file systems and bind mounts, of which `fs.watch` misses some. Kubernetes updates
 * a mounted Secret about once per minute, so 2 s add little.
 */
export const POLL_INTERVAL_MS = 2000;

/** Calls a function at a fixed interval, but never while an earlier call is running. It does not keep the process alive. */
export class FilePoll implements Stoppable {
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> | null = null;

  /** @param poll never rejects */
  constructor(poll: () => Promise<void>, intervalMs: number) {
    this.timer = setInterval(() => {
      this.running ??= poll().finally(() => (this.running = null));
    }, intervalMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
