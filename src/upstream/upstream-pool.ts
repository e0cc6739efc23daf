import { Pool, type Dispatcher } from 'undici';

export interface PoolLimits {
  /** Sockets at most. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
}

/** The connections to one origin. Requests are handed in only by holders of a permit, so it never queues for long. */
export class UpstreamPool {
  private readonly pools = new Set<Pool>();
  private current: Pool;

  /** @param origin scheme, host and port; every request goes there, whatever a client has sent */
  constructor(
    private readonly origin: string,
    private readonly limits: PoolLimits,
  ) {
    this.current = this.open();
  }

  /** Open sockets. */
  get connected(): number {
    let sockets = 0;
    for (const pool of this.pools) sockets += pool.stats.connected;
    return sockets;
  }

  /** Errors, those of bad arguments too, come to the handler. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.current.dispatch(options, handler);
  }

  /** Begins anew; what runs in the old pool may end there. */
  replace(): void {
    const old = this.current;
    this.current = this.open();
    void old.close().then(() => this.pools.delete(old));
  }

  /** Every running request fails. */
  async destroy(): Promise<void> {
    await Promise.all([...this.pools].map((pool) => pool.destroy()));
  }

  private open(): Pool {
    const pool = new Pool(this.origin, {
      connections: this.limits.connections,
      // HTTP/2 would put many requests on one connection: permits count connections, an abort must end one.
      allowH2: false,
      pipelining: 1,
      // undici's own are up to a second late and extended by interim answers: the calls keep time themselves.
      headersTimeout: 0,
      bodyTimeout: 0,
      // A backstop, so that a connection which never comes gives its permit back.
      connectTimeout: this.limits.connectTimeoutMs,
    });
    this.pools.add(pool);
    return pool;
  }
}
