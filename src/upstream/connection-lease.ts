import type { Lane } from './upstream-pool.js';
import type { Upstream } from './upstream.js';

/** The permit of one request, and the connection that it uses. `release` can be called any number of times. */
export class ConnectionLease {
  /** Another request can use the connection. */
  reusable = false;
  private held = false;
  private lane: Lane | null = null;

  constructor(
    private readonly upstream: Upstream,
    private readonly holder: string,
  ) {}

  /** True if earlier requests have used the connection. */
  get isReused(): boolean {
    return this.lane!.requests > 1;
  }

  /** Call it with the permit. */
  begin(): void {
    this.held = true;
  }

  /** Drops the connection of an earlier attempt. */
  connect(): Lane {
    if (this.lane !== null) this.upstream.pool.drop(this.lane);
    this.lane = this.upstream.pool.take();
    return this.lane;
  }

  release(): void {
    if (!this.held) return;
    this.held = false;
    // A waiting request can get the same connection, so undici must finish with this one first.
    if (this.upstream.permits.waiting === 0) this.end();
    else setImmediate(() => this.end());
  }

  private end(): void {
    if (this.lane !== null && this.reusable) this.upstream.pool.release(this.lane);
    else if (this.lane !== null) this.upstream.pool.drop(this.lane);
    this.lane = null;
    this.upstream.permits.release(this.holder);
  }
}
