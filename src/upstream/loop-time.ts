const STEP_MS = 10;

/**
 * Time by the turns of the event loop. Where the process is held up, no time passes, whatever the system's clock says:
 * what arrived meanwhile has not been looked at.
 */
export class LoopTime {
  /** Milliseconds, in steps of ten. */
  nowMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param isNeeded asked at each step; otherwise the time stops until `run()` is called again */
  constructor(private readonly isNeeded: () => boolean) {}

  /** Keeps no process alive. */
  run(): void {
    this.timer ??= setInterval(() => this.step(), STEP_MS).unref();
  }

  private step(): void {
    this.nowMs += STEP_MS;
    if (this.isNeeded()) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
