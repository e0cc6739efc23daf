import { buildConnector, Client } from 'undici';

/** One connection, opened when it is first used and again whenever it is used after it was closed. */
export type Lane = Client;

/**
 * The connections to one origin. Who takes one has it alone until it is given back; the holders of permits bound their
 * number. In place of undici's own pool, which for each request looks through all its connections for a free one.
 */
export class UpstreamPool {
  private readonly lanes = new Set<Lane>();
  /** The one that was used last is used next: the others may close. */
  private readonly free: Lane[] = [];
  private readonly options: Client.Options;

  /** @param origin scheme, host and port; every request goes there, whatever a client has sent */
  constructor(
    private readonly origin: string,
    connectTimeoutMs: number,
  ) {
    this.options = {
      // HTTP/2 would put many requests on one connection: permits count connections, an abort must end one.
      allowH2: false,
      pipelining: 1,
      // undici's own are up to a second late and extended by interim answers: the calls keep time themselves.
      headersTimeout: 0,
      bodyTimeout: 0,
      // One for all, so that they share TLS sessions. Its limit is a backstop: a connection that never comes gives its permit back.
      connect: buildConnector({ allowH2: false, timeout: connectTimeoutMs }),
    };
  }

  /** Open sockets. */
  get connected(): number {
    let sockets = 0;
    for (const lane of this.lanes) if (lane.stats.connected) sockets += 1;
    return sockets;
  }

  take(): Lane {
    return this.free.pop() ?? this.open();
  }

  giveBack(lane: Lane): void {
    if (this.lanes.has(lane)) this.free.push(lane);
  }

  /** In place of `giveBack`: its connection is broken, or about to be, and nobody shall be sent there. */
  drop(lane: Lane): void {
    if (this.lanes.delete(lane)) void lane.close().catch(() => undefined);
  }

  /** Every running request fails. */
  async destroy(): Promise<void> {
    await Promise.all([...this.lanes].map((lane) => lane.destroy()));
  }

  private open(): Lane {
    const lane = new Client(this.origin, this.options);
    // What it knows of the address may be out of date.
    lane.on('connectionError', () => this.drop(lane));
    this.lanes.add(lane);
    return lane;
  }
}
